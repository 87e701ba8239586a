package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.core.error.EventRefusedException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Invalid events are refused with a message and change nothing. */
class InvalidEventTest {

  private static final Dimension COARSE_CPU = new Dimension("cpu", 1000);

  /**
   * At 10 s {@code p} is pending, {@code s} starting, {@code r} running and {@code d} completed.
   */
  private final Cluster cluster =
      Cluster.byHand()
          .host("h1", 4)
          .running("r", 1, "h1")
          .running("d", 1, "h1")
          .starting("s", "gold", 1, "h1")
          .at(10)
          .pending("p", 1);

  InvalidEventTest() {
    cluster.completed("d");
    cluster.pass();
  }

  static Stream<Arguments> invalid() {
    return Stream.of(
        event(
            c -> c.host("h1", 1),
            "host h1 joins, but a host of that id is present. Maybe remove it first."),
        event(
            c -> c.host("h2", Resources.of(COARSE_CPU, 1)),
            "host h2 counts cpu on another scale than before: 1000000000 units make one there."),
        event(c -> c.removed("h9"), "host h9 leaves, but no such host is present."),
        event(
            c -> c.pending("r", 1),
            "request r is submitted, but an instance of that id is not done."),
        event(
            c -> c.pending("x", "platinum", 1),
            "request x is of service class platinum, which the scheduler does not have."
                + " Known: gold, silver, bronze."),
        event(
            c ->
                c.pending(
                    request("x", 0)
                        .demand(Resources.of(COARSE_CPU, 1))
                        .job("j")
                        .constraint(new Constraint.Exists("ssd"))),
            "request x counts cpu on another scale than before: 1000000000 units make one there."),
        event(
            c -> usageReported(c, Resources.of(COARSE_CPU, 1), Resources.none()),
            "usage of instance r counts cpu on another scale than before:"
                + " 1000000000 units make one there."),
        event(
            c -> usageReported(c, Resources.none(), Resources.of(COARSE_CPU, 1)),
            "usage of instance r counts cpu on another scale than before:"
                + " 1000000000 units make one there."),
        event(
            c -> c.started("x"),
            "instance x is ready, but there is no such instance, or it is done."),
        event(c -> c.started("d"), "instance d is ready, but it completed, in attempt 1."),
        event(
            c -> c.started("p"),
            "instance p is ready, but it has been PENDING since 10000000000 ns."),
        event(c -> c.started("r"), "instance r is ready, but it has been RUNNING since 0 ns."),
        event(
            c -> c.failed("x"), "instance x failed, but there is no such instance, or it is done."),
        event(
            c -> c.failed("p"), "instance p failed, but it has been PENDING since 10000000000 ns."),
        event(c -> c.completed("d"), "instance d completed, but it completed, in attempt 1."),
        event(
            c -> c.completed("p"),
            "instance p completed, but it has been PENDING since 10000000000 ns."),
        event(
            c -> c.completed("s"),
            "instance s completed, but it has been STARTING since 0 ns."
                + " Maybe report started(...) first."),
        event(
            c -> c.cancel("d"),
            "instance d is cancelled, but there is no such instance, or it is done."));
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void invalidEventIsRefusedAndChangesNothing(Consumer<Cluster> event, String words) {
    assertRefused(cluster, event, words);
  }

  /** Events that are valid except for their time, each with the start of the message. */
  static Stream<Arguments> valid() {
    return Stream.of(
        event(c -> c.host("h2", 1), "host h2 joins"),
        event(c -> c.removed("h1"), "host h1 leaves"),
        event(c -> c.pending("x", 1), "request x is submitted"),
        event(c -> c.started("s"), "instance s is ready"),
        event(c -> c.failed("r"), "instance r failed"),
        event(c -> c.completed("r"), "instance r completed"),
        event(c -> c.cancel("p"), "instance p is cancelled"),
        event(c -> c.pass(), "a pass"));
  }

  @ParameterizedTest
  @MethodSource("valid")
  void pastEventIsRefusedAndChangesNothing(Consumer<Cluster> event, String what) {
    assertRefused(
        cluster.atNanos(9_999_999_999L),
        event,
        what
            + " at 9999999999 ns, but time has reached 10000000000 ns."
            + " Events must come in order of time.");
  }

  @ParameterizedTest
  @MethodSource("valid")
  void eventAtTheCurrentTimeIsAccepted(Consumer<Cluster> event, String what) {
    Snapshot before = cluster.snapshot();

    event.accept(cluster);

    assertThat(cluster.snapshot()).as(what).isNotEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void refusedEventDoesNotAdvanceTime(Consumer<Cluster> event, String words) {
    assertRefused(cluster.at(99), event, words);

    assertThat(cluster.at(10).pass().now()).isEqualTo(10 * Cluster.SECOND);
  }

  @Test
  void refusedEventAddsNoDimension() {
    Dimension gpu = new Dimension("gpu", 1);
    Dimension gpuThousandths = new Dimension("gpu", 1000);
    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(
            () ->
                cluster.pending(
                    request("x", "platinum", 0).demand(Resources.of(gpuThousandths, 1))));

    cluster.host("h2", Resources.of(gpu, 1));

    assertThat(cluster.host("h2").free(gpu)).isEqualTo(1);
  }

  @Test
  void requestFixesTheScaleOfADimension() {
    Cluster young = Cluster.byHand().pending("p", 1);

    assertRefused(
        young,
        c -> c.host("h1", Resources.of(COARSE_CPU, 1)),
        "host h1 counts cpu on another scale than before: 1000000000 units make one there.");
  }

  @Test
  void knownServiceClassWithoutInstancesIsAccepted() {
    assertThat(cluster.host("h2", cores(1)).pending("b", "bronze", 1).instance("b").serviceClass())
        .isEqualTo(Cluster.BRONZE);
  }

  private static void usageReported(Cluster cluster, Resources used, Resources shortfall) {
    cluster.scheduler().usageReported("r", used, shortfall, cluster.now());
  }

  private static void assertRefused(Cluster cluster, Consumer<Cluster> event, String words) {
    Snapshot before = cluster.snapshot();

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> event.accept(cluster))
        .withMessage(words);

    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  private static Arguments event(Consumer<Cluster> event, String words) {
    return Arguments.of(event, words);
  }
}
