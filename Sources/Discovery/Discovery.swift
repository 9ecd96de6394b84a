// The first declarations of Discovery come with its first feature.
