// The first declarations of Fleet come with its first feature.
