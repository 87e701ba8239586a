package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.util.Objects;

/**
 * The instances that a {@linkplain PlacementRule rule} or a {@linkplain Preference preference} of a
 * request is about: those of a job, or those with a label. Immutable.
 *
 * <p>Only instances that are on a host count, in any state there. The instance itself never counts
 * for its own placement.
 */
public sealed interface Peers {

  /** Returns whether the instance of a request is one of them. */
  boolean include(Request request);

  /** Returns them in words: {@code "job web"}. */
  String describe();

  /** Returns the instances of a job. */
  static Peers ofJob(String job) {
    return new OfJob(job);
  }

  /** Returns the instances whose label of that name has that value. */
  static Peers labelled(String name, String value) {
    return new Labelled(name, value);
  }

  /**
   * The instances of a job.
   *
   * @param job its name, not blank
   */
  record OfJob(String job) implements Peers {
    /** Checks the name. */
    public OfJob {
      Objects.requireNonNull(job, "job");
      refuseIf(job.isBlank(), "job of peers was blank, must name a job.");
    }

    @Override
    public boolean include(Request request) {
      Objects.requireNonNull(request, "request");
      return request.job().isPresent() && request.job().get().equals(job);
    }

    @Override
    public String describe() {
      return "job " + job;
    }
  }

  /**
   * The instances with a label.
   *
   * @param name the name of the label, not blank
   * @param value the value of the label
   */
  record Labelled(String name, String value) implements Peers {
    /** Checks the name. */
    public Labelled {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(value, "value");
      refuseIf(name.isBlank(), "label of peers had a blank name.");
    }

    @Override
    public boolean include(Request request) {
      Objects.requireNonNull(request, "request");
      return value.equals(request.labels().get(name));
    }

    @Override
    public String describe() {
      return "label " + name + "=" + value;
    }
  }
}
