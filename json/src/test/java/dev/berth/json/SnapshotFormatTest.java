package dev.berth.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Domain;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.Peers;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.PlacementSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Preference;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.snapshot.SchedulerSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Snapshots in files: each version that was ever written can be read, and damage is found. */
class SnapshotFormatTest {

  private static final Path GOLDEN = Path.of("src", "test", "resources", "snapshots");
  private static final long SECOND = 1_000_000_000;
  private static final Dimension GPU = new Dimension("gpu", 1);
  private static final Reason WHY = new Reason.PolicyChoice("why", "because it is ½ full");

  private static Consumer<SchedulingPass> acts = pass -> {};

  private static Resources amounts(long cpu, long memory) {
    return Resources.of(Dimension.CPU, cpu * SECOND, Dimension.MEMORY, memory);
  }

  private static Scheduler.Builder builder() {
    Policy policy =
        new Policy() {
          @Override
          public void schedule(SchedulingPass pass) {
            acts.accept(pass);
          }

          @Override
          public Set<Dimension> oversubscribes() {
            return Set.of(Dimension.MEMORY);
          }

          @Override
          public Optional<PolicyMemory> memory() {
            return Optional.of(
                new PolicyMemory() {
                  private Map<String, Object> kept =
                      Map.of("n", -7, "half", 0.5, "on", true, "ids", List.of("a", Map.of()));

                  @Override
                  public Map<String, Object> save() {
                    return kept;
                  }

                  @Override
                  public void restore(Map<String, Object> saved) {
                    kept = saved;
                  }
                });
          }
        };
    return Scheduler.builder().policy("by-hand", context -> policy);
  }

  /** A scheduler whose snapshot has something in nearly every component. */
  private static SchedulerSnapshot snapshot() {
    return snapshot(
        PlacementSpec.builder()
            .tolerate(Toleration.of("disk", "half"))
            .tolerate(Toleration.of("gpu"))
            .tolerate(
                new Toleration(
                    Optional.of("power"),
                    Optional.empty(),
                    Optional.of(Taint.Effect.LEAVE),
                    Optional.of(Duration.ofDays(3))))
            .near(Peers.ofJob("j"), Domain.of("rack"))
            .apart(Peers.labelled("team", "y"), Domain.HOST)
            .spread(Peers.labelled("team", "x"), Domain.of("rack"), 2)
            .prefer(new Preference.OnHost(new Constraint.Exists("rack"), 5))
            .prefer(new Preference.Near(Peers.ofJob("j"), Domain.HOST, 6))
            .prefer(new Preference.Apart(Peers.ofJob("k"), Domain.of("rack"), 7))
            .use("matlab", 2)
            .usePerHost("maple", 1)
            .build(),
        Taint.preferNot("disk", "half"),
        Taint.leaveAfter("gpu", "", Duration.ofDays(1)));
  }

  private static SchedulerSnapshot snapshot(PlacementSpec placement, Taint... taints) {
    Scheduler scheduler =
        builder()
            .serviceClasses(
                ServiceClass.builder("gold").build(),
                ServiceClass.builder("bronze").slo(0.5).importance(2).build())
            .seed(-3)
            .watchdog(Duration.ofMinutes(1))
            .maxPlacements(100)
            .build();
    scheduler.offerPool(
        new PoolSpec(
            "cloud", amounts(4, 64), Map.of("zone", "a"), 5, Duration.ofSeconds(1), Duration.ZERO),
        0);
    if (!placement.isEmpty()) {
      scheduler.setLimit("matlab", 3, 0);
      scheduler.setLimit("maple", 1, 0);
      scheduler.setLimit("idle", 7, 0);
      scheduler.setBudget("j", DisruptionBudget.maxDown(2), 0);
      scheduler.setBudget("none", DisruptionBudget.minUp(3), 0);
      scheduler.submit(
          new GroupSpec(
              "group",
              List.of(
                  Request.builder("g1", "bronze").demand(amounts(99, 1)).build(),
                  Request.builder("g2", "bronze").demand(amounts(99, 1)).build()),
              1,
              GroupSpec.OnLoss.RELEASE),
          0);
    }
    scheduler.addHost(
        new HostSpec("h1", amounts(8, 1000), Map.of("rack", "7")).withTaints(taints), 0);
    scheduler.addHost(new HostSpec("h2", amounts(2, 10), Map.of(), true), 0);
    scheduler.loadReported("h2", 1.25, 1);
    acts =
        pass ->
            pass.provision(
                pass.pools().get(0), 3, Optional.of("c"), OptionalLong.of(900 * SECOND), WHY);
    scheduler.schedule(SECOND);
    scheduler.addHost(new HostSpec("cloud-1", amounts(4, 64), Map.of("zone", "a")), SECOND);
    scheduler.removeHost("cloud-2", SECOND);
    scheduler.submit(
        Request.builder("r1", "gold")
            .demand(amounts(2, 100))
            .guaranteed(amounts(2, 50))
            .constraint(new Constraint.In("rack", Set.of("7", "8")))
            .constraint(new Constraint.LessThan("rack", 9))
            .job("j")
            .application("app")
            .user("u")
            .label("team", "x")
            .antiAffinity(true)
            .placement(placement)
            .estimatedRunTime(Duration.ofHours(1))
            .deadline(Duration.ofHours(2))
            .moldability(Moldability.LINPACK)
            .memoryProfile(
                MemoryProfile.of(
                    List.of(new MemoryProfile.Step(0, 5), new MemoryProfile.Step(9, 7))))
            .performanceMemoryProfile(
                PerformanceMemoryProfile.of(List.of(new PerformanceMemoryProfile.Point(5, 8))))
            .build(),
        2 * SECOND);
    scheduler.submit(
        Request.builder("r2", "bronze").demand(amounts(1, 5)).application("app").build(),
        2 * SECOND);
    scheduler.submit(Request.builder("r3", "bronze").demand(amounts(1, 0)).build(), 2 * SECOND);
    scheduler.submit(
        new BagSpec(
            "b",
            List.of(
                Request.builder("t1", "gold").demand(amounts(1, 1)).build(),
                Request.builder("t2", "gold").demand(Resources.of(GPU, 1)).build()),
            Optional.of(Duration.ofDays(1))),
        2 * SECOND);
    acts =
        pass -> {
          pass.assign(pass.bags().get(0), "c", OptionalLong.of(500 * SECOND), WHY);
          place(pass, "r1", "h1", amounts(2, 50));
          place(pass, "r2", "h2", amounts(1, 5));
          place(pass, "t1", "cloud-1", amounts(1, 1));
          pass.defer(pass.instance("r3").orElseThrow(), WHY);
          pass.defer(pass.bags().get(0), WHY);
          place(pass, "r3", "h1", amounts(1000, 5)); // a policy error
          pass.wakeAt(77 * SECOND);
        };
    scheduler.schedule(3 * SECOND);
    for (String each : List.of("r1", "r2", "t1")) {
      scheduler.started(each, 4 * SECOND);
    }
    scheduler.usageReported("r1", amounts(1, 40), Resources.of(GPU, 2), 5 * SECOND);
    scheduler.usageReported("r1", amounts(2, 50), Resources.none(), 6 * SECOND);
    scheduler.completed("t1", 7 * SECOND);
    scheduler.completed("r2", Duration.ofSeconds(2), 7 * SECOND);
    scheduler.submit(
        new BagSpec("gone", List.of(Request.builder("g", "gold").demand(amounts(1, 1)).build())),
        8 * SECOND);
    scheduler.cancelBag("gone", WHY, 9 * SECOND);
    return scheduler.snapshot();
  }

  private static void place(SchedulingPass pass, String id, String hostId, Resources grant) {
    Instance instance = pass.instance(id).orElseThrow();
    Host host = pass.host(hostId).orElseThrow();
    pass.place(instance, host, List.of(), grant);
  }

  @ParameterizedTest
  @EnumSource
  void readsWhatItWrote(SnapshotFormat format) {
    SchedulerSnapshot snapshot = snapshot();

    byte[] bytes = format.toBytes(snapshot);

    assertThat(format.fromBytes(bytes)).isEqualTo(snapshot);
    assertThat(format.toBytes(format.fromBytes(bytes))).isEqualTo(bytes);
  }

  /**
   * Files of each format that was ever released stay as they are. To add one for a new format, run
   * with {@code -Dberth.golden.update=true}.
   */
  @ParameterizedTest
  @EnumSource
  void readsGoldenFiles(SnapshotFormat format) throws IOException {
    Path file =
        GOLDEN.resolve(
            "format-" + SchedulerSnapshot.FORMAT + "." + format.name().toLowerCase(Locale.ROOT));
    if (Boolean.getBoolean("berth.golden.update")) {
      Files.createDirectories(GOLDEN);
      Files.write(file, format.toBytes(snapshot()));
    }
    byte[] golden = Files.readAllBytes(file);

    SchedulerSnapshot read = format.fromBytes(golden);
    Scheduler restored = builder().restore(read).build();

    assertThat(format.toBytes(restored.snapshot())).isEqualTo(golden);
    assertThat(read).isEqualTo(snapshot());
  }

  /** Format 1 had no taints, nothing about other instances, and nothing of those that ended. */
  @ParameterizedTest
  @EnumSource
  void readsTheFirstFormat(SnapshotFormat format) throws IOException {
    Path file = GOLDEN.resolve("format-1." + format.name().toLowerCase(Locale.ROOT));
    SchedulerSnapshot present = snapshot(PlacementSpec.NONE);

    SchedulerSnapshot read = format.fromBytes(Files.readAllBytes(file));
    Scheduler restored = builder().restore(read).build();

    assertThat(read.format()).isEqualTo(1);
    assertThat(format.toBytes(read)).isEqualTo(Files.readAllBytes(file));
    assertThat(restored.snapshot()).isEqualTo(withoutEnds(present));
  }

  private static SchedulerSnapshot withoutEnds(SchedulerSnapshot snapshot) {
    assertThat(snapshot.completions()).hasSize(2);
    return new SchedulerSnapshot(
        snapshot.format(),
        snapshot.settings(),
        snapshot.progress(),
        snapshot.dimensions(),
        snapshot.pools(),
        snapshot.hosts(),
        snapshot.bags(),
        snapshot.instances(),
        snapshot.endedBags(),
        snapshot.latestPlan(),
        snapshot.policyMemory(),
        snapshot.limits(),
        snapshot.budgets(),
        snapshot.groups(),
        List.of(),
        List.of());
  }

  /** A fleet can start the instance from its request. */
  @ParameterizedTest
  @EnumSource
  void payloadsComeBack(SnapshotFormat format) {
    String payload = "\"\n\0½😀".repeat(10_000);
    Scheduler scheduler = builder().serviceClasses(ServiceClass.builder("gold").build()).build();
    scheduler.submit(
        Request.builder("r", "gold").demand(Resources.none()).payload(payload).build(), 0);
    SchedulerSnapshot read = format.fromBytes(format.toBytes(scheduler.snapshot()));

    Scheduler restored = builder().restore(read).build();

    assertThat(restored.instance("r").orElseThrow().request().payload()).contains(payload);
  }

  @Test
  void cborIsSmaller() {
    SchedulerSnapshot snapshot = snapshot();

    assertThat(SnapshotFormat.CBOR.toBytes(snapshot).length)
        .isLessThan(SnapshotFormat.JSON.toBytes(snapshot).length * 7 / 10);
  }

  // ---- Damage

  private static String json() {
    return new String(SnapshotFormat.JSON.toBytes(snapshot()), StandardCharsets.UTF_8);
  }

  private static void refuses(String json, String message) {
    assertThatExceptionOfType(SnapshotException.class)
        .isThrownBy(() -> SnapshotFormat.JSON.fromBytes(json.getBytes(StandardCharsets.UTF_8)))
        .withMessageMatching(message);
  }

  @Test
  void refusesUnknownFormats() {
    refuses(
        json().replace("{\"format\":2,", "{\"format\":3,"),
        "snapshot: it is of format 3, this version of Berth reads formats up to 2\\.");
    refuses(
        json().replace("{\"format\":2,", "{\"format\":0,"),
        "snapshot: it is of format 0, this version of Berth reads formats up to 2\\.");
    refuses(
        json().replace("{\"format\":2,", "{\"format\":1,"),
        "snapshot: is damaged: its digest is [0-9a-f]{16}, but that of its contents is .*");
  }

  @Test
  void refusesOtherContents() {
    String json = json();
    refuses("{}", "snapshot: is damaged: it does not begin with its format\\.");
    refuses("", "snapshot: is damaged: it does not begin with its format\\.");
    refuses(
        json.replace("\"joined\":1", "\"joined\":3"),
        "snapshot: is damaged: its digest is [0-9a-f]{16}, but that of its contents is [0-9a-f]{16}\\.");
    refuses(
        json.replace("\"joined\":1", "\"joined\":\"1\""),
        "snapshot: is damaged: hosts\\[1\\]\\.joined must be a whole number\\.");
    refuses(
        json.replace("\"joined\":1", "\"jioned\":1"),
        "snapshot: is damaged: hosts\\[1\\] has an unknown member jioned\\.");
    refuses(json.replace("\"id\":\"h2\",", ""), "snapshot: is damaged: hosts\\[1\\] has no id\\.");
    refuses(
        json.replace("\"id\":\"h2\",", "\"id\":\"h2\",\"id\":\"h2\","),
        "snapshot: is damaged: hosts\\[1\\] has two members id\\.");
    refuses(json + " {}", "snapshot: is damaged: something follows its end\\.");
    refuses(json.substring(0, json.length() / 2), "snapshot: is damaged: .*");
  }

  /** Whatever the bytes are, the answer is the same snapshot or a clear error. */
  @ParameterizedTest
  @EnumSource
  void findsFlippedAndMissingBytes(SnapshotFormat format) {
    SchedulerSnapshot snapshot = snapshot();
    byte[] bytes = format.toBytes(snapshot);
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 3_000; i++) {
      byte[] damaged =
          i % 3 == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes.clone();
      if (i % 3 != 0) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      SchedulerSnapshot read;
      try {
        read = format.fromBytes(damaged);
      } catch (SnapshotException found) {
        continue;
      }
      assertThat(read).isEqualTo(snapshot);
    }
  }
}
