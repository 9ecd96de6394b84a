// The first declarations of Recorder come with its first feature.
