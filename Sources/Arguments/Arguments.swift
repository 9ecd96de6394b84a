// The first declarations of Arguments come with its first feature.
