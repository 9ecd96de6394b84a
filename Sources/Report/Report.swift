// The first declarations of Report come with its first feature.
