package dev.berth.policies.metascheduling;

/** The empty configuration of {@code random}, {@code cpu-load} and {@code lottery}. */
record NoSettings() {}
