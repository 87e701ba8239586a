package dev.berth.cli.faults;

/** What is done to a file. */
enum Operation {
  /** Creates or opens a file that need not exist, or creates a folder. */
  CREATE,
  OPEN,
  READ,
  WRITE,
  SYNC,
  CLOSE,
  LOCK,
  LIST,
  DELETE,
  MOVE,
  /** Reads attributes or permissions. */
  LOOK;

  /** Returns whether a full disk can make it fail. */
  boolean needsSpace() {
    return this == CREATE || this == WRITE || this == SYNC || this == CLOSE;
  }

  /** Returns whether there are many of them, none of which changes a file. */
  boolean isCommon() {
    return this == READ || this == LOOK;
  }

  /** Returns whether it concerns an open file, so that its error does not name the file. */
  boolean isOnChannel() {
    return this == READ || this == WRITE || this == SYNC || this == CLOSE || this == LOCK;
  }
}
