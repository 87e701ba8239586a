package dev.berth.core.faults;

import java.util.Map;

/** Trials by name. */
public interface Trials {

  /** Returns the trials, in order. */
  Map<String, Trial> all();
}
