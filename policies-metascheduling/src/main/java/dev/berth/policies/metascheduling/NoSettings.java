package dev.berth.policies.metascheduling;

/** The configuration of {@code random}, {@code cpu-load} and {@code lottery}: nothing to set. */
record NoSettings() {}
