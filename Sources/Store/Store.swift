// The first declarations of Store come with its first feature.
