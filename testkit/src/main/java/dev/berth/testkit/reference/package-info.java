/**
 * The reference model: the cluster, Algorithm 1, and the two policies of "QoS-driven scheduling in
 * the cloud" (Farias da Silva et al., JISA 2020), written to be read next to the paper.
 *
 * <p>It is slow on purpose. It stores only the events, without indexes or caches, and computes
 * everything from them on demand. It shares no code with the engine or the policies that are
 * compared with it, only the values of {@code dev.berth.api}, the record {@link
 * dev.berth.api.batch.InstanceReport}, and {@link dev.berth.core.decision.SeededTieBreaker},
 * because equal plans require equal tie-breaking.
 *
 * <p>Times are nanoseconds since an epoch of the embedder's choice, durations are nanoseconds.
 * Section and equation numbers are the paper's.
 */
@NullMarked
package dev.berth.testkit.reference;

import org.jspecify.annotations.NullMarked;
