package dev.berth.experiments.study;

import dev.berth.core.Providers;
import dev.berth.core.error.NearestName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** Finds studies by name. Immutable. */
public final class StudyRegistry {

  private final Map<String, Study> byName;

  private StudyRegistry(Map<String, Study> byName) {
    this.byName = byName;
  }

  /**
   * Returns the studies of all providers that a class loader finds.
   *
   * @throws IllegalArgumentException if two studies have the same name
   * @throws IllegalStateException if a provider fails, as for {@link Providers#load}
   */
  public static StudyRegistry load(ClassLoader loader) {
    List<Study> studies = new ArrayList<>();
    for (StudyProvider each :
        Providers.load(
            "study",
            StudyProvider.class,
            ServiceLoader.load(StudyProvider.class, loader),
            loader)) {
      studies.addAll(Providers.call(each, "studies()", () -> List.copyOf(each.studies())));
    }
    return of(studies);
  }

  /**
   * Returns a registry of studies.
   *
   * @throws IllegalArgumentException if two have the same name
   */
  public static StudyRegistry of(Collection<Study> studies) {
    Map<String, Study> byName = new LinkedHashMap<>();
    for (Study each : studies) {
      String name = Providers.call(each, "name()", each::name);
      Study other = byName.putIfAbsent(name, each);
      if (other != null) {
        throw new IllegalArgumentException(
            "Two studies have the name \"%s\": %s and %s. Names must be unique."
                .formatted(name, other.getClass().getName(), each.getClass().getName()));
      }
    }
    return new StudyRegistry(byName);
  }

  /** Returns all studies, in the order of their providers. */
  public List<Study> all() {
    return List.copyOf(byName.values());
  }

  /**
   * Returns a study.
   *
   * @throws IllegalArgumentException if there is none of that name; the message lists the known
   *     ones
   */
  public Study get(String name) {
    Study study = byName.get(name);
    if (study == null) {
      throw new IllegalArgumentException(
          "there is no study \"%s\". %s"
              .formatted(name, NearestName.hintAndList(name, byName.keySet())));
    }
    return study;
  }
}
