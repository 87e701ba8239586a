package dev.berth.benchmarks.peer;

import static dev.berth.benchmarks.peer.PeerScheduler.BERTH_BIN_PACKING;
import static dev.berth.benchmarks.peer.PeerScheduler.BERTH_CONTENDED;
import static dev.berth.benchmarks.peer.PeerScheduler.BERTH_FILL;
import static dev.berth.benchmarks.peer.PeerScheduler.BERTH_SATURATED;
import static dev.berth.benchmarks.peer.PeerScheduler.BERTH_SIMULATION;
import static dev.berth.benchmarks.peer.PeerScheduler.CLOUDSIM_BEST_FIT;
import static dev.berth.benchmarks.peer.PeerScheduler.CLOUDSIM_FIRST_FIT;
import static dev.berth.benchmarks.peer.PeerScheduler.CLOUDSIM_SIMPLE;
import static dev.berth.benchmarks.peer.PeerScheduler.CLOUDSIM_SIMULATION;
import static dev.berth.benchmarks.peer.PeerScheduler.FENZO_BIN_PACKING;
import static dev.berth.benchmarks.peer.PeerScheduler.FENZO_DEFAULT;
import static dev.berth.benchmarks.peer.PeerScheduler.FENZO_EARLY_STOP;
import static dev.berth.benchmarks.peer.PeerScheduler.REFERENCE_CONTENDED;
import static dev.berth.benchmarks.peer.PeerScheduler.STREAM;

import dev.berth.benchmarks.peer.Task.Size;
import java.util.List;
import java.util.stream.Stream;

/**
 * A comparison of each of our schedulers with each peer.
 *
 * @param smoke the size of a smoke test; not measured
 */
record Group(
    String name, Size full, Size smoke, List<PeerScheduler> ours, List<PeerScheduler> theirs) {

  private static final List<PeerScheduler> PACKERS = List.of(BERTH_FILL, BERTH_BIN_PACKING);
  private static final List<PeerScheduler> FENZO =
      List.of(FENZO_DEFAULT, FENZO_BIN_PACKING, FENZO_EARLY_STOP);

  /** All there are. */
  static final List<Group> ALL =
      List.of(
          // A small cluster is filled to the brim.
          new Group(
              "brim",
              size(1_000, 14_500, 100),
              tiny(20, 280, 10),
              PACKERS,
              List.of(
                  FENZO_DEFAULT,
                  FENZO_BIN_PACKING,
                  FENZO_EARLY_STOP,
                  CLOUDSIM_FIRST_FIT,
                  CLOUDSIM_BEST_FIT,
                  CLOUDSIM_SIMPLE)),
          // A large one gets its first requests.
          new Group("large", size(10_000, 5_000, 100), tiny(40, 100, 10), PACKERS, FENZO),
          // The same on fewer hosts, where evaluating each one costs less.
          new Group("half-as-large", size(5_000, 5_000, 100), tiny(30, 100, 10), PACKERS, FENZO),
          // More hosts, compared with a peer that does not evaluate every host.
          new Group(
              "many",
              size(10_000, 20_000, 100),
              tiny(40, 200, 10),
              PACKERS,
              List.of(CLOUDSIM_FIRST_FIT, FENZO_EARLY_STOP)),
          // Whole simulations.
          new Group(
              "simulation",
              size(1_000, 20_000, 100),
              tiny(20, 100, 10),
              List.of(BERTH_SIMULATION),
              List.of(CLOUDSIM_SIMULATION)),
          // One large pass on a full cluster, and the cost of reading alone.
          new Group(
              "contended",
              size(10_000, 10_000, 10_000),
              tiny(20, 50, 50),
              List.of(BERTH_CONTENDED, BERTH_SATURATED),
              List.of(STREAM)),
          // The same on clusters small enough for the reference model, with fewer requests. Two
          // sizes show how its cost grows.
          new Group(
              "reference",
              size(500, 5, 5),
              tiny(20, 5, 5),
              List.of(BERTH_CONTENDED),
              List.of(REFERENCE_CONTENDED)),
          new Group(
              "reference-smaller",
              size(125, 5, 5),
              tiny(10, 5, 5),
              List.of(BERTH_CONTENDED),
              List.of(REFERENCE_CONTENDED)));

  private static Size size(int hosts, int requests, int batch) {
    return new Size(hosts, requests, batch, 7_000_000_000L, 3_000_000_000L);
  }

  private static Size tiny(int hosts, int requests, int batch) {
    return new Size(hosts, requests, batch, 0, 0);
  }

  /** Returns our schedulers. */
  List<PeerRun> ours(boolean tiny) {
    return ours.stream().map(each -> new PeerRun(each, tiny ? smoke : full, false)).toList();
  }

  /** Returns the peers, each in all its settings. */
  List<List<PeerRun>> theirs(boolean tiny) {
    return theirs.stream()
        .map(
            each ->
                (each.hasThreads() ? Stream.of(false, true) : Stream.of(false))
                    .map(oneCore -> new PeerRun(each, tiny ? smoke : full, oneCore))
                    .toList())
        .toList();
  }

  /** Returns our schedulers and the peers. */
  Stream<PeerRun> runs(boolean tiny) {
    return Stream.concat(ours(tiny).stream(), theirs(tiny).stream().flatMap(List::stream));
  }
}
