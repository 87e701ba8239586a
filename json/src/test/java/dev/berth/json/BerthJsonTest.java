package dev.berth.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Domain;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The JSON of each type, to the character: its names are an interface. */
class BerthJsonTest {

  private static final long SECOND = 1_000_000_000;
  private static final Reason WHY = new Reason.PolicyChoice("why", "because");
  private static final Resources ONE = Resources.of(Dimension.CPU, SECOND);
  private static final Resources HALF = Resources.of(Dimension.CPU, SECOND / 2);

  private Consumer<SchedulingPass> acts = pass -> {};
  private final Scheduler scheduler =
      Scheduler.builder()
          .serviceClasses(
              ServiceClass.builder("gold").build(),
              ServiceClass.builder("bronze").slo(0.5).importance(2).build())
          .policy("by-hand", context -> pass -> acts.accept(pass))
          .build();

  private Plan preempting() {
    scheduler.addHost(new HostSpec("h1", ONE), 0);
    scheduler.submit(Request.builder("a", "bronze").demand(ONE).build(), 0);
    acts = pass -> place(pass, "a", List.of());
    scheduler.schedule(0);
    scheduler.started("a", SECOND);
    scheduler.submit(Request.builder("b", "gold").demand(ONE).build(), 100 * SECOND);
    scheduler.submit(Request.builder("c", "gold").demand(ONE).build(), 100 * SECOND);
    acts =
        pass -> {
          place(pass, "b", List.of(pass.instance("a").orElseThrow()));
          pass.defer(pass.instance("c").orElseThrow(), WHY);
        };
    return scheduler.schedule(100 * SECOND + 1);
  }

  private static void place(SchedulingPass pass, String id, List<Instance> victims) {
    Host host = pass.host("h1").orElseThrow();
    assertThat(pass.place(pass.instance(id).orElseThrow(), host, victims).refusal()).isEmpty();
  }

  @Test
  void plans() {
    assertThat(BerthJson.toJson(preempting()))
        .isEqualTo(
            "{\"pass\":2,\"timeSeconds\":100.000000001,\"triggers\":[\"request-admitted\"],"
                + "\"actions\":[{\"action\":\"preempt\",\"instance\":\"a\",\"host\":\"h1\",\"beneficiary\":\"b\"},"
                + "{\"action\":\"place\",\"instance\":\"b\",\"host\":\"h1\",\"attempt\":1,\"victims\":[\"a\"]}],"
                + "\"deferrals\":{\"c\":{\"code\":\"why\",\"kind\":\"not-curable\",\"text\":\"because\"}},"
                + "\"bagDeferrals\":{},\"endedBags\":[],\"policyErrors\":[]}");
  }

  @Test
  void everyKindOfAction() {
    List<Action> actions =
        List.of(
            new Action.Place("i", "h", List.of(), Optional.of(HALF)),
            new Action.Resize("i", "h", HALF),
            new Action.Pause("i", "h"),
            new Action.Suspend("i", "h"),
            new Action.Resume("i", "h", HALF, 2),
            new Action.Migrate("i", "f", "h", HALF, 3),
            new Action.Evict("i", "h", WHY),
            new Action.Reject("i", WHY),
            new Action.Stop(
                new InstanceReport(
                    "i", ServiceClass.builder("gold").build(), 0, SECOND, SECOND, 0, 0, 1, 0),
                "h",
                new Reason.RanTooLong(SECOND)),
            new Action.Provision("p", List.of("p-1"), Optional.of("k"), OptionalLong.of(SECOND)),
            new Action.Release("p-1", "p"),
            new Action.Assign("b", "k", OptionalLong.empty()),
            new Action.Cancel("b", List.of("i"), WHY));
    String why = "{\"code\":\"why\",\"kind\":\"not-curable\",\"text\":\"because\"}";

    assertThat(actions.stream().map(BerthJson::toJson))
        .containsExactly(
            "{\"action\":\"place\",\"instance\":\"i\",\"host\":\"h\",\"attempt\":1,\"victims\":[],\"grant\":{\"cpu\":0.5}}",
            "{\"action\":\"resize\",\"instance\":\"i\",\"host\":\"h\",\"grant\":{\"cpu\":0.5}}",
            "{\"action\":\"pause\",\"instance\":\"i\",\"host\":\"h\"}",
            "{\"action\":\"suspend\",\"instance\":\"i\",\"host\":\"h\"}",
            "{\"action\":\"resume\",\"instance\":\"i\",\"host\":\"h\",\"attempt\":2,\"grant\":{\"cpu\":0.5}}",
            "{\"action\":\"migrate\",\"instance\":\"i\",\"from\":\"f\",\"host\":\"h\",\"attempt\":3,\"grant\":{\"cpu\":0.5}}",
            "{\"action\":\"evict\",\"instance\":\"i\",\"host\":\"h\",\"reason\":" + why + "}",
            "{\"action\":\"reject\",\"instance\":\"i\",\"reason\":" + why + "}",
            "{\"action\":\"stop\",\"instance\":\"i\",\"host\":\"h\",\"report\":{\"instance\":\"i\","
                + "\"class\":\"gold\",\"admittedAtSeconds\":0,\"endedAtSeconds\":1,"
                + "\"serviceSeconds\":1,\"waitingSeconds\":0,\"availability\":1.0,\"sloMet\":true,"
                + "\"preemptions\":0,\"placements\":1,\"restartOverheadSeconds\":0},"
                + "\"reason\":{\"code\":\"ran-too-long\",\"kind\":\"not-curable\","
                + "\"text\":\"its longest run time of PT1S is over\"}}",
            "{\"action\":\"provision\",\"pool\":\"p\",\"hosts\":[\"p-1\"],\"cluster\":\"k\",\"expiresAtSeconds\":1}",
            "{\"action\":\"release\",\"host\":\"p-1\",\"pool\":\"p\"}",
            "{\"action\":\"assign\",\"bag\":\"b\",\"cluster\":\"k\"}",
            "{\"action\":\"cancel\",\"bag\":\"b\",\"instances\":[\"i\"],\"reason\":" + why + "}");
  }

  @Test
  void rejections() {
    Plan plan = preempting();

    assertThat(BerthJson.toJson(scheduler.rejected(plan.id(1), "no disk", plan.now())))
        .isEqualTo(
            "{\"pass\":2,\"index\":1,\"why\":\"no disk\",\"undone\":[{\"pass\":2,\"index\":1,"
                + "\"action\":{\"action\":\"place\",\"instance\":\"b\",\"host\":\"h1\",\"attempt\":1,"
                + "\"victims\":[\"a\"]}}]}");
  }

  @Test
  void explanationsAndReports() {
    preempting();
    long now = 101 * SECOND;

    assertThat(BerthJson.toJson(scheduler.explain().whyPending("c", now)))
        .startsWith("{\"text\":\"0 of 1 hosts:")
        .contains(
            "\"instance\":\"c\",\"timeSeconds\":101,\"state\":\"pending\",\"hosts\":1,"
                + "\"roomyHosts\":0,\"contestedHosts\":0,\"obstacles\":[{\"code\":\"short-of-capacity\","
                + "\"kind\":\"curable-by-preemption\",\"hosts\":1,\"text\":\"full (cpu short by 1)\"}]",
            "\"deferral\":{\"code\":\"why\"");
    assertThat(BerthJson.toJson(scheduler.explain().whyHere("b").orElseThrow()))
        .contains(
            "\"instance\":\"b\",\"hosts\":1,\"pass\":2,\"timeSeconds\":100.000000001,\"host\":\"h1\","
                + "\"victims\":[{\"instance\":\"a\"}]}");
    assertThat(BerthJson.toJson(scheduler.explain().whyPreempted("a").orElseThrow()))
        .contains("\"instance\":\"a\",\"beneficiary\":\"b\",\"pass\":2");
    assertThat(BerthJson.toJson(scheduler.decisions().all()))
        .startsWith(
            "[{\"instance\":\"a\",\"pass\":1,\"timeSeconds\":0,\"host\":\"h1\",\"victims\":[]}");
    assertThat(BerthJson.toJson(scheduler.stats()))
        .isEqualTo(
            "{\"timeSeconds\":100.000000001,\"hosts\":1,\"instances\":{\"gold\":{\"pending\":1,\"starting\":1},"
                + "\"bronze\":{\"pending\":1}},\"passes\":2,\"passesUndone\":0,"
                + "\"lastPassAtSeconds\":100.000000001,\"actions\":{\"place\":2,\"preempt\":1,\"resize\":0,"
                + "\"pause\":0,\"suspend\":0,\"resume\":0,\"migrate\":0,\"reject\":0,\"provision\":0,"
                + "\"release\":0,\"assign\":0,\"cancel\":0,\"evict\":0,\"stop\":0},"
                + "\"eventsRefused\":0,\"staleReports\":0,\"actionsUndone\":0}");
    assertThat(BerthJson.toJson(scheduler.cancel("a", now)))
        .isEqualTo(
            "{\"instance\":\"a\",\"class\":\"bronze\",\"admittedAtSeconds\":0,\"endedAtSeconds\":101,"
                + "\"serviceSeconds\":99.000000001,\"waitingSeconds\":1.999999999,"
                + "\"availability\":0.9801980198118811,\"sloMet\":true,\"preemptions\":1,\"placements\":1,"
                + "\"restartOverheadSeconds\":0}");
  }

  @Test
  void roomForAGroup() {
    scheduler.addHost(new HostSpec("h1", ONE), 0);
    scheduler.submit(Request.builder("a", "gold").demand(HALF).build(), 0);
    acts = pass -> place(pass, "a", List.of());
    scheduler.schedule(0);
    List<Request> members =
        Stream.of("g1", "g2", "g3")
            .map(id -> Request.builder(id, "gold").demand(HALF).build())
            .toList();
    scheduler.submit(new GroupSpec("g", members, 2, GroupSpec.OnLoss.RESTORE), 0);

    String full =
        "\"obstacles\":[{\"code\":\"short-of-capacity\",\"kind\":\"curable-by-preemption\","
            + "\"hosts\":1,\"text\":\"full (cpu short by 0.5)\"}]}";
    assertThat(BerthJson.toJson(scheduler.explain().whyPending("g1", 0)))
        .endsWith(
            "\"group\":{\"text\":\"group g needs 2 members at once: free room for 1 (no more: 1 full"
                + " (cpu short by 0.5)), on empty hosts for 2\",\"group\":\"g\",\"needed\":2,"
                + "\"waiting\":3,\"heldBack\":0,\"now\":{\"members\":1,\"exact\":true,"
                + full
                + ",\"emptied\":{\"members\":2,\"exact\":true,"
                + full
                + "}}");
  }

  @Test
  void requestsAndHosts() {
    Request request =
        Request.builder("r", "gold")
            .demand(Resources.of(Dimension.CPU, SECOND / 2, Dimension.MEMORY, 4 * SECOND))
            .guaranteed(HALF)
            .job("j")
            .antiAffinity(true)
            .constraint(new Constraint.Equal("zone", "a"))
            .user("ana")
            .label("team", "web")
            .payload("run")
            .deadline(Duration.ofMinutes(1))
            .maxRunTime(Duration.ofMinutes(2))
            .after("q")
            .build();

    assertThat(BerthJson.toJson(request))
        .isEqualTo(
            "{\"id\":\"r\",\"class\":\"gold\",\"demand\":{\"cpu\":0.5,\"memory\":4},\"guaranteed\":{\"cpu\":0.5},"
                + "\"job\":\"j\",\"antiAffinity\":true,\"constraints\":[\"zone == a\"],\"user\":\"ana\","
                + "\"labels\":{\"team\":\"web\"},\"payload\":\"run\",\"deadlineSeconds\":60,\"maxRunSeconds\":120,\"after\":[\"q\"]}");
    assertThat(BerthJson.toJson(new HostSpec("h", ONE, Map.of("zone", "a"))))
        .isEqualTo(
            "{\"id\":\"h\",\"capacity\":{\"cpu\":1},\"attributes\":{\"zone\":\"a\"},\"timeShared\":false}");
  }

  @Test
  void tolerationsRulesPreferencesAndTaints() {
    Request request =
        Request.builder("r", "gold")
            .demand(Resources.none())
            .placement(
                PlacementSpec.builder()
                    .tolerate(Toleration.of("gpu"))
                    .near(Peers.ofJob("db"), Domain.of("zone"))
                    .prefer(new Preference.OnHost(new Constraint.Exists("ssd"), 5))
                    .usePerHost("matlab", 1)
                    .build())
            .build();

    assertThat(BerthJson.toJson(request))
        .isEqualTo(
            "{\"id\":\"r\",\"class\":\"gold\",\"demand\":{},\"tolerations\":[\"tolerates gpu\"],"
                + "\"rules\":[\"near job db by zone\"],\"preferences\":[\"prefers ssd exists (5)\"],"
                + "\"limits\":[\"uses 1 of matlab on each host\"]}");
    assertThat(BerthJson.toJson(new HostSpec("h", ONE).withTaints(Taint.noNew("disk", "full"))))
        .endsWith("\"timeShared\":false,\"taints\":[\"disk=full (no new)\"]}");
  }

  @Test
  void mappersFindTheModule() throws Exception {
    ObjectMapper mapper = new ObjectMapper().findAndRegisterModules();

    assertThat(
            mapper.writeValueAsString(
                new TreeMap<>(Map.of("grant", HALF, "action", new Action.Pause("i", "h")))))
        .isEqualTo(
            "{\"action\":{\"action\":\"pause\",\"instance\":\"i\",\"host\":\"h\"},\"grant\":{\"cpu\":0.5}}");
  }

  @Test
  void optionalsAreNotUnwrapped() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BerthJson.toJson(Optional.of(HALF)))
        .withMessageEndingWith("must not be an Optional. Maybe pass what is in it.");
  }

  @Test
  void refusesOtherTypes() {
    Stream.of("text", 1, Dimension.CPU, List.of("text"))
        .forEach(
            each ->
                assertThatIllegalArgumentException()
                    .isThrownBy(() -> BerthJson.toJson(each))
                    .withMessageContaining("has no JSON of Berth"));
  }
}
