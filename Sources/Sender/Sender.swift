// The first declarations of Sender come with its first feature.
