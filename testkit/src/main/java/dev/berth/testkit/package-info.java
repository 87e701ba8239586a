/**
 * Tools for whoever tests a policy, an embedding, a scheduler, or Berth itself. The parts, each
 * usable alone:
 *
 * <ul>
 *   <li>{@link dev.berth.testkit.contract}: contract tests to extend, for a policy or a whole
 *       scheduler.
 *   <li>{@link dev.berth.testkit.TestCluster} and {@link dev.berth.testkit.assertions}: for unit
 *       tests that read like the case they are about.
 *   <li>{@link dev.berth.testkit.generators}: clusters, workloads, and what happens to them.
 *   <li>{@link dev.berth.testkit.history}: a generated history, and how it is played to any number
 *       of {@link dev.berth.testkit.event.EventTarget}s.
 *   <li>{@link dev.berth.testkit.asserting}: misuse detectors around a policy.
 *   <li>{@link dev.berth.testkit.reference}: the reference model to hold a scheduler against.
 * </ul>
 */
@NullMarked
package dev.berth.testkit;

import org.jspecify.annotations.NullMarked;
