package dev.berth.kubernetes.reproduction;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A validation experiment of the paper (section 4.4): its requests and what was published. */
@SuppressWarnings("ImmutableEnumChecker") // the lists are copies
enum Validation {
  /** 80 gold, 80 silver and 96 bronze requests on 200 slots. */
  VALIDATION_1(
      "kubernetes-validation-1",
      Duration.ofSeconds(75),
      List.of(new Share(80, "gold"), new Share(80, "silver"), new Share(96, "bronze")),
      List.of(
          new Published("gold", .9988, .9993, .9994, 0, "0"),
          new Published("silver", .9064, .9098, .9137, 1, "1,015"),
          new Published("bronze", .4419, .4731, .5054, .0104, "988")),
      "2,003 of running pods; 3,121 with those without a node"),
  /** 221 silver requests on 200 slots. */
  VALIDATION_2(
      "kubernetes-validation-2",
      Duration.ofSeconds(47),
      List.of(new Share(221, "silver")),
      List.of(new Published("silver", .8728, .8954, .9079, .348, "1,457")),
      "1,457 of running pods; 2,427 with those without a node");

  /**
   * What their Kubernetes reached.
   *
   * @param sloMet the share of requests that met their objective
   * @param preempted number of preemptions of running pods, as text
   */
  record Published(
      String serviceClass, double min, double mean, double max, double sloMet, String preempted) {}

  /** A request: one pod at a time. */
  record Submission(String name, String serviceClass) {}

  private record Share(int count, String serviceClass) {}

  private final String id;
  private final Duration watchdog;
  private final List<Share> shares;
  private final List<Published> published;
  private final String publishedPreemptions;

  Validation(
      String id,
      Duration watchdog,
      List<Share> shares,
      List<Published> published,
      String publishedPreemptions) {
    this.id = id;
    this.watchdog = watchdog;
    this.shares = List.copyOf(shares);
    this.published = List.copyOf(published);
    this.publishedPreemptions = publishedPreemptions;
  }

  /** Returns the name by which users choose it. */
  String id() {
    return id;
  }

  /**
   * Returns the longest time between two passes, with which our passes preempt as often as their
   * decisions: those of a pass would take their scheduler as long, at 1.74 s each in validation 1
   * and 2.26 s in 2.
   */
  Duration watchdog() {
    return watchdog;
  }

  /** Returns the published figures, the most important class first. */
  List<Published> published() {
    return published;
  }

  /** Returns how many preemptions were published. */
  String publishedPreemptions() {
    return publishedPreemptions;
  }

  /** Returns the requests in an order that depends on the seed. */
  List<Submission> requests(long seed) {
    List<Submission> all = new ArrayList<>();
    for (Share each : shares) {
      for (int i = 0; i < each.count(); i++) {
        all.add(new Submission(each.serviceClass() + "-" + i, each.serviceClass()));
      }
    }
    Collections.shuffle(all, new Random(seed));
    return List.copyOf(all);
  }

  /** Returns the experiment of an id. */
  static Optional<Validation> of(String id) {
    return List.of(values()).stream().filter(each -> each.id.equals(id)).findFirst();
  }

  /** Returns the objective of a class. */
  static double slo(String serviceClass) {
    return switch (serviceClass) {
      case "gold" -> 1;
      case "silver" -> .9;
      default -> .5;
    };
  }
}
