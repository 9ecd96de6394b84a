// The first declarations of SenderCore come with its first feature.
