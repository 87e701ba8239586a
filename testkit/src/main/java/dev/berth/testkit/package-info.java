/**
 * Tools for whoever tests a policy, an embedding, or Berth itself.
 *
 * <ul>
 *   <li>{@link dev.berth.testkit.Clusters} and {@link dev.berth.testkit.Histories} generate
 *       clusters and what happens to them, for jqwik properties.
 *   <li>{@link dev.berth.testkit.Replay} plays a generated {@link dev.berth.testkit.History} to any
 *       number of {@link dev.berth.testkit.EventTarget}s.
 *   <li>{@link dev.berth.testkit.reference} is the reference model to hold an engine against.
 * </ul>
 */
@NullMarked
package dev.berth.testkit;

import org.jspecify.annotations.NullMarked;
