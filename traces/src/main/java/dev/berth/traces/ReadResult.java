package dev.berth.traces;

/**
 * The content of a file, with a summary of its reading.
 *
 * @param value the content
 * @param report what was read and what was skipped
 * @param <T> the type of the content
 */
public record ReadResult<T>(T value, ReadReport report) {}
