package dev.berth.core.internal.cluster;

/**
 * The place of an instance in the queue of a pipeline. The instance holds it, so that the queue
 * needs no look-up. The state does not know its type.
 */
public interface QueueEntry {}
