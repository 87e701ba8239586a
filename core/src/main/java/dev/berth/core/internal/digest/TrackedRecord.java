package dev.berth.core.internal.digest;

import org.jspecify.annotations.Nullable;

/** A record of the state whose hash is kept once a digest of the state was asked for. */
public abstract class TrackedRecord {

  @Nullable Trace trace; // null: no digest has counted it

  protected TrackedRecord() {}

  /** What is known of the hash of a record. */
  static final class Trace {
    long hash;
    boolean counted; // whether the sum contains the hash
    boolean changed; // since the hash was computed
    long fixedHash; // of the parts that never change
    boolean fixedHashKnown;
  }
}
