package dev.berth.core.internal.state;

/**
 * The place of an instance in the queue of a pipeline. The state keeps it with the instance, so
 * that the queue finds it without a look-up, and does not know what it is.
 */
public interface QueueEntry {}
