/**
 * The reference model: the cluster, Algorithm 1, and the two policies of "QoS-driven scheduling in
 * the cloud" (Farias da Silva et al., JISA 2020), written to be read next to the paper and to be
 * wrong nowhere.
 *
 * <p>It is slow on purpose. Nothing is indexed, kept in order or remembered but what happened;
 * whatever a decision needs is worked out from that, at the moment it is needed. It shares no code
 * with the engine or the policies it is compared with: only the values of {@code dev.berth.api},
 * the record {@link dev.berth.api.InstanceReport}, and {@link
 * dev.berth.core.decision.SeededTieBreaker}, since randomness has to be specified to be equal.
 *
 * <p>Times are nanoseconds since an epoch of the embedder's choice, durations are nanoseconds.
 * Section and equation numbers are the paper's.
 */
@NullMarked
package dev.berth.testkit.reference;

import org.jspecify.annotations.NullMarked;
