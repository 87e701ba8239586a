package dev.berth.core.explain;

import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Backoff;
import dev.berth.api.Domain;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.GroupSpec.OnLoss;
import dev.berth.core.Cluster;
import dev.berth.core.Scheduler;
import dev.berth.core.Snapshot;
import dev.berth.core.TestParts;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.explain.GroupRoom.Room;
import dev.berth.core.explain.WhyPending.Obstacle;
import dev.berth.test.TestRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import org.junit.jupiter.api.Test;

class GroupRoomTest {

  private static WhyPending why(Cluster cluster) {
    return cluster.scheduler().explain().whyPending("g0", cluster.now());
  }

  private static GroupRoom room(Cluster cluster) {
    return why(cluster).group().orElseThrow();
  }

  private static void submit(Cluster cluster, int needed, Request... members) {
    cluster
        .scheduler()
        .submit(new GroupSpec("g", List.of(members), needed, OnLoss.RESTORE), cluster.now());
  }

  private static Request[] alike(int members, double cores) {
    Request[] requests = new Request[members];
    for (int i = 0; i < members; i++) {
      requests[i] = request("g" + i, cores).build();
    }
    return requests;
  }

  @Test
  void namesWhatIsShortUntilOthersEnd() {
    Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 4).host("h3", 4);
    cluster.running("r1", 3, "h1").running("r2", 2, "h2").cordoned("h3");
    submit(cluster, 9, alike(10, 1));

    assertThat(why(cluster).describe())
        .isEqualTo(
            "2 of 3 hosts: 1 cordoned; group g needs 9 members at once: free room for 3"
                + " (no more: 2 full (cpu short by 1), 1 cordoned), on empty hosts for 9");
    assertThat(room(cluster).needed()).isEqualTo(9);
    assertThat(room(cluster).waiting()).isEqualTo(10);
    assertThat(room(cluster).now().members()).isEqualTo(3);
    assertThat(room(cluster).now().obstacles()).extracting(Obstacle::hosts).containsExactly(2, 1);
    assertThat(room(cluster).emptied()).isEqualTo(new Room(10, true, List.of()));
    assertThat(room(cluster).isHopeless()).isFalse();
  }

  @Test
  void saysThatAGroupCannotStart() {
    Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 4).running("r1", 3, "h1");
    submit(cluster, 10, alike(40, 1));

    assertThat(why(cluster).describe())
        .isEqualTo(
            "2 of 2 hosts; group g needs 10 members at once: free room for 5"
                + " (no more: 2 full (cpu short by 1)), on empty hosts for 8"
                + " (no more: 2 full (cpu short by 1)), so it cannot start unless hosts or limits"
                + " change");
    assertThat(room(cluster).isHopeless()).isTrue();
  }

  @Test
  void expectsTheNextPassToPlaceOnlyAGroupThatFits() {
    Cluster cluster = Cluster.of(parts -> parts).host("h1", 2);
    submit(cluster, 3, alike(3, 1));
    cluster.pass();
    assertThat(why(cluster).describe()).doesNotContain("next pass");

    cluster = Cluster.of(parts -> parts).host("h1", 3);
    submit(cluster, 3, alike(4, 1));
    assertThat(why(cluster).describe())
        .isEqualTo(
            "1 of 1 hosts; group g needs 3 members at once: free room for 3;"
                + " the next pass may place it");
    assertThat(cluster.pass().placements()).hasSize(3);
    assertThat(cluster.scheduler().explain().whyPending("g3", 0).group())
        .as("a member that may come later")
        .isEmpty();

    cluster = Cluster.of(parts -> parts).host("h1", 3);
    submit(cluster, 1, alike(4, 1));
    assertThat(why(cluster).describe()).isEqualTo("1 of 1 hosts; the next pass may place it");
  }

  @Test
  void aLimitMayBeShort() {
    Cluster cluster = Cluster.byHand().host("h1", 9);
    cluster.scheduler().setLimit("licence", 5, 0);
    Request[] members = new Request[3];
    for (int i = 0; i < 3; i++) {
      members[i] =
          request("g" + i, 1).placement(PlacementSpec.builder().use("licence", 2).build()).build();
    }
    submit(cluster, 3, members);

    assertThat(why(cluster).describe())
        .isEqualTo(
            "1 of 1 hosts; group g needs 3 members at once: free room for 2"
                + " (no more: 1 waiting for 1 more of licence), on empty hosts for 2"
                + " (no more: 1 waiting for 1 more of licence), so it cannot start unless hosts or"
                + " limits change");
  }

  @Test
  void aMemberMayBeLargerThanAnyHost() {
    Cluster cluster = Cluster.byHand().host("h1", 4).host("h2", 2);
    submit(
        cluster, 3, request("g0", 1).build(), request("g1", 5).build(), request("g2", 2).build());

    assertThat(room(cluster).emptied().members()).isEqualTo(2);
    assertThat(room(cluster).emptied().obstacles())
        .extracting(Obstacle::text)
        .containsExactly("too small (cpu exceeds them by 1 to 3)");
    assertThat(room(cluster).isHopeless()).isTrue();
  }

  @Test
  void isNotCertainIfMembersDiffer() {
    Cluster cluster = Cluster.byHand().host("h1", 3).host("h2", 2);
    submit(cluster, 2, request("g0", 2).build(), request("g1", 3).build());

    assertThat(room(cluster).emptied().members()).isEqualTo(1);
    assertThat(room(cluster).isHopeless()).isFalse();
    assertThat(room(cluster).describe())
        .isEqualTo(
            "group g needs 2 members at once: free room for at least 1 (no more: 1 full (cpu short"
                + " by 2), 1 too small (cpu exceeds them by 1)), on empty hosts for at least 1 (no"
                + " more: 1 full (cpu short by 2), 1 too small (cpu exceeds them by 1))");
  }

  @Test
  void countsMembersThatAreHeldBack() {
    Backoff once = new Backoff(Duration.ofSeconds(10), 1, Duration.ofSeconds(10), 1);
    Cluster cluster =
        Cluster.of(Scheduler.builder().instanceBackoff(once), parts -> parts).host("h1", 3);
    submit(cluster, 2, alike(2, 1));
    cluster.pass();
    cluster.failed("g0").failed("g1");
    cluster.at(1);

    assertThat(why(cluster).describe())
        .contains(
            "group g needs 2 members at once: free room for 0, 2 held back, on"
                + " empty hosts for 2; it is held back until");
  }

  @Test
  void changesNothingEvenIfAFilterThrows() {
    boolean[] throwing = {false};
    Cluster cluster =
        Cluster.of(
            parts ->
                parts
                    .preemption(TestParts.latestFirst(), TestParts.ALLOW_ALL)
                    .filter(
                        (instance, host, time) -> {
                          if (throwing[0] && instance.id().equals("g2")) {
                            throw new IllegalStateException("filter");
                          }
                          return Optional.<Reason>empty();
                        }));
    cluster.host("h1", 4).host("h2", 4);
    cluster.running(
        request("r1", "bronze", 1).job("j").placement(apart("host")).label("k", "v"), "h1");
    cluster.running(request("r2", "bronze", 3).job("j"), "h2").running("r3", "bronze", 1, "h2");
    submit(cluster, 3, alike(3, 2));
    Snapshot before = cluster.snapshot();
    long digest = cluster.scheduler().digest();

    throwing[0] = true;
    assertThatIllegalStateException().isThrownBy(() -> why(cluster)).withMessage("filter");
    throwing[0] = false;

    assertThat(why(cluster).describe()).isEqualTo(why(cluster).describe());
    assertThat(cluster.snapshot()).isEqualTo(before);
    assertThat(cluster.scheduler().digest()).isEqualTo(digest);
  }

  private static PlacementSpec apart(String domain) {
    Domain of = domain.equals("host") ? Domain.HOST : Domain.of(domain);
    return PlacementSpec.builder().apart(Peers.ofJob("j"), of).build();
  }

  // ---- Against brute force

  private enum Case {
    EXACT,
    EXACT_BUT_NOT_ALL,
    HOPELESS,
    TOO_LOW,
    ENOUGH
  }

  private static final Map<Case, Integer> COUNTS = new EnumMap<>(Case.class);

  /** Never more than brute force finds, and as many if the count is said to be exact. */
  @Property(tries = 4_000)
  void countsWhatBruteForceFinds(@ForAll long seed) {
    Drawn drawn = new Drawn(new Random(seed));
    Cluster occupied = drawn.cluster(true);
    long digest = occupied.scheduler().digest();

    GroupRoom room = room(occupied);

    assertThat(occupied.scheduler().digest()).isEqualTo(digest);
    check(drawn, room.now(), occupied);
    check(drawn, room.emptied(), drawn.cluster(false));
    count(room.isHopeless(), Case.HOPELESS);
    count(room.suffices(), Case.ENOUGH);
  }

  private static void check(Drawn drawn, Room room, Cluster cluster) {
    int most = drawn.most(cluster);
    assertThat(room.members()).as("%s", drawn.members).isLessThanOrEqualTo(most);
    if (room.exact()) {
      assertThat(room.members()).as("%s", drawn.members).isEqualTo(most);
    }
    if (drawn.alike && drawn.plain) {
      assertThat(room.exact()).as("%s", drawn.members).isTrue();
    }
    assertThat(room.obstacles().isEmpty()).isEqualTo(room.members() == drawn.members.size());
    count(room.exact(), Case.EXACT);
    count(room.exact() && !room.obstacles().isEmpty(), Case.EXACT_BUT_NOT_ALL);
    count(room.members() < most, Case.TOO_LOW);
  }

  private static void count(boolean met, Case which) {
    COUNTS.merge(which, met ? 1 : 0, Integer::sum);
  }

  @AfterContainer
  static void meetsAllCasesOften() {
    if (TestRun.isFixed()) {
      for (Case each : Case.values()) {
        assertThat(COUNTS.getOrDefault(each, 0)).as("%s of %s", each, COUNTS).isGreaterThan(10);
      }
    }
  }

  /** A small cluster with residents, and a group that waits. */
  private static final class Drawn {

    private final long seed;
    private final int hosts;
    private final List<Request> members = new ArrayList<>();
    private final boolean alike;
    private boolean plain = true; // without rules and limits

    Drawn(Random random) {
      seed = random.nextLong();
      hosts = 1 + random.nextInt(3);
      alike = random.nextBoolean();
      int count = 2 + random.nextInt(3);
      Random first = new Random(random.nextLong());
      for (int i = 0; i < count; i++) {
        members.add(member("g" + i, alike ? new Random(seed) : first));
      }
    }

    private Request member(String id, Random random) {
      PlacementSpec.Builder placement = PlacementSpec.builder();
      Domain rack = Domain.of("rack");
      switch (random.nextInt(10)) {
        case 0 -> placement.apart(Peers.ofJob("j"), rack);
        case 1 -> placement.spread(Peers.ofJob("j"), rack, 1);
        case 2 -> placement.near(Peers.ofJob("j"), rack);
        case 3 -> placement.use("limit", 1 + random.nextInt(2));
        case 4 -> placement.usePerHost("limit", 1);
        default -> {}
      }
      PlacementSpec spec = placement.build();
      plain &= spec.isEmpty();
      return Request.builder(id, "gold")
          .demand(cores(1 + random.nextInt(3), random.nextInt(2)))
          .job("j")
          .antiAffinity(random.nextInt(5) == 0)
          .placement(spec)
          .build();
    }

    /** Returns a cluster; without residents, all its hosts are open. */
    Cluster cluster(boolean occupied) {
      Random random = new Random(seed);
      Cluster cluster = Cluster.byHand();
      cluster.scheduler().setLimit("limit", random.nextInt(4), 0);
      for (int i = 0; i < hosts; i++) {
        String host = "h" + i;
        cluster.host(
            host,
            cores(1 + random.nextInt(5), 1 + random.nextInt(3)),
            "rack",
            "r" + random.nextInt(2));
        boolean closed = random.nextInt(6) == 0;
        for (int r = random.nextInt(3); r > 0; r--) {
          Request resident = member("r" + i + "-" + r, random);
          if (occupied) {
            cluster.scheduler().submit(resident, 0);
            cluster.pass(
                pass -> {
                  var unused = pass.place(cluster.instance(resident.id()), cluster.host(host));
                });
          }
        }
        if (occupied && closed) {
          cluster.cordoned(host);
        }
      }
      submit(cluster, members.size(), members.toArray(Request[]::new));
      return cluster;
    }

    /** Returns the most members that a pass could place, in order of admission. */
    int most(Cluster cluster) {
      int choices = 1;
      for (int i = 0; i < members.size(); i++) {
        choices *= hosts + 1;
      }
      int[] most = {0};
      for (int chosen = 0; chosen < choices; chosen++) {
        int choice = chosen;
        assertThatThrownBy(
                () ->
                    cluster.pass(
                        pass -> {
                          int placed = 0;
                          int rest = choice;
                          for (Request each : members) {
                            int host = rest % (hosts + 1);
                            rest /= hosts + 1;
                            if (host < hosts
                                && pass.place(cluster.instance(each.id()), cluster.host("h" + host))
                                    .refusal()
                                    .isEmpty()) {
                              placed++;
                            }
                          }
                          most[0] = Math.max(most[0], placed);
                          throw new IllegalStateException("undo");
                        }))
            .isInstanceOf(PolicyFailedException.class);
      }
      return most[0];
    }
  }
}
