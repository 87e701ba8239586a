package dev.berth.traces;

/**
 * What was read, and what reading it came to.
 *
 * @param value what was read
 * @param report what it came to
 */
public record ReadResult<T>(T value, ReadReport report) {}
