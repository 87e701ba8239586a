package dev.berth.cli.faults;

/** How an operation fails. */
enum Fault {
  /** It and all later ones that need space fail, as on a full disk. */
  NO_SPACE,
  /** It alone fails: permission is denied, or the device reports an error. */
  ERROR,
  /** It writes half of the bytes and fails; later ones succeed. */
  SHORT_WRITE,
  /** It does half of its work, if it writes, and nothing later has any effect. */
  CRASH;

  boolean appliesTo(Operation operation) {
    return switch (this) {
      case NO_SPACE -> operation.needsSpace();
      case ERROR, CRASH -> true;
      case SHORT_WRITE -> operation == Operation.WRITE;
    };
  }
}
