package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.test.TestRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Groups of alike members, on small clusters: a pipeline starts one whenever trying all hosts and
 * all victims that the preemption rule allows finds a way, and otherwise reports how many members
 * could start.
 */
class GroupSearchTest {

  private static final List<String> CLASSES = List.of("gold", "silver", "bronze");
  private static final MonotonePreemptionRule LESS_IMPORTANT = TestParts.LESS_IMPORTANT::judge;

  private enum Case {
    STARTED,
    STARTED_WITH_VICTIMS,
    STARTED_WITH_MORE_THAN_NEEDED,
    INCOMPLETE,
    INCOMPLETE_ALTHOUGH_SOME_FIT,
    KEPT_APART
  }

  private static final Map<Case, Integer> COUNTS = new EnumMap<>(Case.class);

  private static void count(Case met) {
    COUNTS.merge(met, 1, Integer::sum);
  }

  @Property(tries = 7_500)
  void startsWheneverBruteForceFindsAWay(@ForAll long seed) {
    Small small = new Small(new Random(seed));

    Plan plan = small.scheduler.schedule(2);

    int most = small.most(0, new ArrayList<>());
    int placed = plan.placements().size();
    assertThat(placed).as("%s", small).isEqualTo(most >= small.minCount ? most : 0);
    if (placed > 0) {
      count(Case.STARTED);
      if (!plan.preemptions().isEmpty()) {
        count(Case.STARTED_WITH_VICTIMS);
      }
      if (placed > small.minCount) {
        count(Case.STARTED_WITH_MORE_THAN_NEEDED);
      }
      if (small.apart) {
        count(Case.KEPT_APART);
      }
      return;
    }
    count(Case.INCOMPLETE);
    assertThat(plan.actions()).as("%s", small).isEmpty();
    assertThat(plan.deferrals().values())
        .as("%s", small)
        .containsOnly(new Reason.GroupIncomplete("g", most, small.minCount, true));
    if (most > 0) {
      count(Case.INCOMPLETE_ALTHOUGH_SOME_FIT);
    }
  }

  @AfterContainer
  static void meetsAllCasesOften() {
    if (TestRun.isFixed()) {
      for (Case each : Case.values()) {
        assertThat(COUNTS.getOrDefault(each, 0)).as("%s of %s", each, COUNTS).isGreaterThan(50);
      }
    }
  }

  /** A small cluster with residents, and a group that waits. */
  private static final class Small {

    private record Resident(int number, int host, int rank, int cpu, int memory) {}

    private final int[][] capacities; // cores and memory, by host
    private final List<Resident> residents = new ArrayList<>();
    private final int rank; // of the class of the group
    private final int cpu;
    private final int memory;
    private final int members;
    private final boolean preempts;
    final boolean apart;
    final int minCount;
    final Scheduler scheduler;

    Small(Random random) {
      preempts = random.nextInt(3) > 0;
      UnaryOperator<PipelineBuilder> parts =
          each ->
              (preempts ? each.preemption(TestParts.latestFirst(), LESS_IMPORTANT) : each)
                  .backfill(
                      random.nextInt(4) > 0 || preempts ? Backfill.AGGRESSIVE : Backfill.NONE);
      scheduler =
          Scheduler.builder()
              .policy("test", context -> parts.apply(context.pipeline()).build())
              .serviceClasses(Cluster.GOLD, Cluster.SILVER, Cluster.BRONZE)
              .build();
      capacities = new int[1 + random.nextInt(3)][2];
      for (int i = 0; i < capacities.length; i++) {
        capacities[i][0] = 1 + random.nextInt(5);
        capacities[i][1] = 1 + random.nextInt(5);
        scheduler.addHost(
            new HostSpec("h" + i, amounts(capacities[i][0], capacities[i][1]), Map.of()), 0);
        addResidents(i, random);
      }
      rank = random.nextInt(CLASSES.size());
      cpu = 1 + random.nextInt(2);
      memory = random.nextInt(3);
      members = 1 + random.nextInt(4);
      minCount = 1 + random.nextInt(members);
      apart = random.nextInt(4) == 0;
      List<Request> requests = new ArrayList<>();
      for (int i = 0; i < members; i++) {
        requests.add(
            Request.builder("g" + i, CLASSES.get(rank))
                .demand(amounts(cpu, memory))
                .job("j")
                .antiAffinity(apart)
                .build());
      }
      scheduler.submit(new GroupSpec("g", requests, minCount, GroupSpec.OnLoss.RESTORE), 1);
    }

    private static Resources amounts(int cpu, int memory) {
      return Resources.of(Dimension.CPU, cpu * Cluster.SECOND, Dimension.MEMORY, memory);
    }

    private void addResidents(int host, Random random) {
      for (int i = random.nextInt(4); i > 0; i--) {
        Resident resident =
            new Resident(i, host, random.nextInt(3), 1 + random.nextInt(2), random.nextInt(3));
        List<Resident> present = new ArrayList<>();
        residents.forEach(each -> addIfOn(host, each, present));
        if (fitTogether(host, present, List.of(resident))) {
          String id = "r" + residents.size();
          scheduler.submit(
              Request.builder(id, CLASSES.get(resident.rank))
                  .demand(amounts(resident.cpu, resident.memory))
                  .build(),
              0);
          Plan plan = scheduler.schedule(0);
          if (plan.placements().size() == 1 && plan.preemptions().isEmpty()) {
            Action.Place placed = plan.placements().get(0);
            scheduler.started(id, 0);
            residents.add(
                new Resident(
                    residents.size(),
                    Integer.parseInt(placed.host().substring(1)),
                    resident.rank,
                    resident.cpu,
                    resident.memory));
          } else {
            throw new IllegalStateException("set-up: " + plan.actions());
          }
        }
      }
    }

    private static void addIfOn(int host, Resident each, List<Resident> present) {
      if (each.host == host) {
        present.add(each);
      }
    }

    /** Returns the most members that can start, given the hosts of those before a member. */
    int most(int member, List<Integer> hosts) {
      if (member == members) {
        return isPossible(hosts) ? (int) hosts.stream().filter(each -> each >= 0).count() : 0;
      }
      int most = 0;
      for (int host = -1; host < capacities.length; host++) {
        hosts.add(host);
        most = Math.max(most, most(member + 1, hosts));
        hosts.remove(hosts.size() - 1);
      }
      return most;
    }

    private boolean isPossible(List<Integer> hosts) {
      for (int host = 0; host < capacities.length; host++) {
        int there = 0;
        for (int each : hosts) {
          there += each == host ? 1 : 0;
        }
        if ((apart && there > 1) || (there > 0 && !isPossible(host, there))) {
          return false;
        }
      }
      return true;
    }

    /** Returns whether some victims make room on a host. */
    private boolean isPossible(int host, int count) {
      List<Resident> newcomers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        newcomers.add(new Resident(-1 - i, host, rank, cpu, memory));
      }
      List<Resident> allowed = new ArrayList<>();
      for (Resident each : residents) {
        if (preempts && each.host == host && each.rank > rank) {
          allowed.add(each);
        }
      }
      for (int chosen = 0; chosen < 1 << allowed.size(); chosen++) {
        List<Resident> rest = new ArrayList<>();
        for (Resident each : residents) {
          int index = allowed.indexOf(each);
          if (each.host == host && (index < 0 || (chosen >> index & 1) == 0)) {
            rest.add(each);
          }
        }
        if (fitTogether(host, rest, newcomers)) {
          return true;
        }
      }
      return false;
    }

    private boolean fitTogether(int host, List<Resident> rest, List<Resident> newcomers) {
      int cores = capacities[host][0];
      int bytes = capacities[host][1];
      for (List<Resident> all : List.of(rest, newcomers)) {
        for (Resident each : all) {
          cores -= each.cpu;
          bytes -= each.memory;
        }
      }
      return cores >= 0 && bytes >= 0;
    }

    @Override
    public String toString() {
      return "%s of %s members of %s (%s cores, %s bytes%s)%s beside %s on %s"
          .formatted(
              minCount,
              members,
              CLASSES.get(rank),
              cpu,
              memory,
              apart ? ", apart" : "",
              preempts ? ", preempting," : "",
              residents,
              Arrays.deepToString(capacities));
    }
  }
}
