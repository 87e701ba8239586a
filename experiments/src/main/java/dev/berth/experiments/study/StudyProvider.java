package dev.berth.experiments.study;

import java.util.List;

/**
 * Adds studies to the {@link StudyRegistry}. A jar names its provider in {@code
 * META-INF/services/dev.berth.experiments.study.StudyProvider}.
 */
public interface StudyProvider {

  /** Returns the studies, in the order in which they are listed. */
  List<Study> studies();
}
