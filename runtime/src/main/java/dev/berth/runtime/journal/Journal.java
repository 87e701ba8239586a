package dev.berth.runtime.journal;

import java.io.Closeable;

/** An append-only log of records, with snapshots that stand for its beginning. */
public interface Journal extends Closeable {}
