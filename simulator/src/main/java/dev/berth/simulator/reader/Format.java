package dev.berth.simulator.reader;

/** A file format that users may name. */
interface Format {

  /** Returns its name. */
  String id();
}
