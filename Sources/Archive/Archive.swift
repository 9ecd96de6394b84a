// The first declarations of Archive come with its first feature.
