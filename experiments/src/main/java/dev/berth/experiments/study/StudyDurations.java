package dev.berth.experiments.study;

import dev.berth.core.config.Durations;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/** The measured durations of the studies that come with Berth, by name. */
final class StudyDurations {

  private static final Properties MEASURED = read();

  private StudyDurations() {}

  private static Properties read() {
    Properties measured = new Properties();
    try {
      measured.load(new StringReader(Resource.text(StudyDurations.class, "durations.properties")));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return measured;
  }

  /** Returns the names of the studies with a measured duration. */
  static Set<String> names() {
    return MEASURED.stringPropertyNames();
  }

  static Optional<Duration> of(String study) {
    return Optional.ofNullable(MEASURED.getProperty(study)).map(Durations::parse);
  }
}
