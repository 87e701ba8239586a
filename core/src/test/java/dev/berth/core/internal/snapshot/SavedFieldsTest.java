package dev.berth.core.internal.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each field that lives from call to call is either saved in snapshots, or follows from what is, or
 * is a cache that changes no plan. After adding a field, extend {@code SnapshotWriter}, {@code
 * SnapshotReader} and the data, or state here why the field can be left out.
 */
class SavedFieldsTest {

  private static final String INTERNAL = "dev.berth.core.internal.";

  /** A field that follows from saved ones. */
  private static String derived(String from) {
    return "derived from " + from;
  }

  /** A field that changes no plan and no report. */
  private static String cache(String of) {
    return "cache: " + of;
  }

  private static String saved(String in) {
    return "saved as " + in;
  }

  static Stream<Arguments> classes() {
    String settings = "a setting, compared or taken from the snapshot";
    String part = "a part, made anew";
    return Stream.of(
        Arguments.of(
            INTERNAL + "cluster.InstanceRecord",
            Map.ofEntries(
                Map.entry("classRecord", derived("request")),
                Map.entry("demand", derived("request")),
                Map.entry("wholeDemand", derived("request")),
                Map.entry("bag", saved("bag")),
                Map.entry("group", saved("the members of groups")),
                Map.entry("admittedAt", saved("admittedAt")),
                Map.entry("sequence", saved("admission")),
                Map.entry("tieHash", derived("id and seed")),
                Map.entry("state", saved("state")),
                Map.entry("stateSince", saved("stateSince")),
                Map.entry("attempt", saved("starts")),
                Map.entry("earlierAttempt", saved("starts")),
                Map.entry("failures", saved("starts, less the forgiven ones")),
                Map.entry("forgiven", saved("starts, taken off the failures")),
                Map.entry("heldBack", saved("starts, or derived from waitsFor")),
                Map.entry("waitsFor", saved("waitsFor")),
                Map.entry("heldUntil", saved("starts")),
                Map.entry("stopAfter", saved("stopAfter")),
                Map.entry("openAction", "cannot be undone after a restart"),
                Map.entry("placementNumber", "for actions that cannot be undone after a restart"),
                Map.entry("host", saved("host")),
                Map.entry("served", saved("served")),
                Map.entry("earned", saved("earned")),
                Map.entry("preemptions", saved("preemptions")),
                Map.entry("placements", saved("placements")),
                Map.entry("restartOverhead", saved("restartOverhead")),
                Map.entry("placedAfterPreemption", saved("placedAfterPreemption")),
                Map.entry("lastStopWasPreemption", saved("lastStopWasPreemption")),
                Map.entry("migrations", saved("migrations")),
                Map.entry("granted", saved("grant")),
                Map.entry("grantedResources", saved("grant")),
                Map.entry("held", derived("grant, state and host")),
                Map.entry("usage", saved("usage")),
                Map.entry("previousUsage", saved("previousUsage")),
                Map.entry("actedInPass", cache("compared with the pass under way only")),
                Map.entry("residence", cache("the residents of a host are unordered")),
                Map.entry("pendingPlace", cache("the pending instances are unordered")))),
        Arguments.of(
            INTERNAL + "cluster.QueuedInstance",
            Map.ofEntries(
                Map.entry("promised", saved("promised")),
                Map.entry("queueEntry", cache("of the queue")),
                Map.entry("queuedAfterPass", saved("queuedAfterPass")),
                Map.entry("queueKey", saved("queueKey")),
                Map.entry("victimKey", saved("victimKey")),
                Map.entry("queueTier", derived("the instance and the time, by the queue order")),
                Map.entry("tierUntil", derived("the instance and the time, by the queue order")),
                Map.entry("nextQueueKey", cache("only during a transition")),
                Map.entry("nextQueueTier", cache("only during a transition")),
                Map.entry("nextTierUntil", cache("only during a transition")),
                Map.entry("nextVictimKey", cache("only during a transition")),
                Map.entry("expectedEnd", derived("request, grant, served and stateSince")),
                Map.entry("assumedEnd", cache("of reservations that the next pass makes anew")))),
        Arguments.of(
            INTERNAL + "cluster.HostRecord",
            Map.ofEntries(
                Map.entry("closings", saved("availability")),
                Map.entry("drain", saved("availability")),
                Map.entry("failedStarts", saved("availability")),
                Map.entry("foreign", saved("availability")),
                Map.entry("guarded", derived("budgets and instances")),
                Map.entry("grouped", derived("instances")),
                Map.entry("foreignAmounts", derived("foreign")),
                Map.entry("heldUntil", saved("availability")),
                Map.entry("isClosed", derived("closings")),
                Map.entry("mayBeOver", derived("instances and capacity")),
                Map.entry("stuckUpTo", cache("of the latest drain step")),
                Map.entry("tainted", saved("taints")),
                Map.entry("tieHash", derived("id and seed")),
                Map.entry("joined", saved("joined")),
                Map.entry("residents", derived("the hosts of instances, unordered")),
                Map.entry("residentsById", cache("of the residents")),
                Map.entry("movedSince", cache("of the residents")),
                Map.entry("pool", saved("pool")),
                Map.entry("cluster", saved("cluster")),
                Map.entry("expiresAt", saved("expiresAt")),
                Map.entry("load", saved("load")),
                Map.entry("histories", saved("histories")),
                Map.entry("recentCompletions", saved("completions, those in the window")),
                Map.entry("version", cache("key of caches of policies, which begin anew")),
                Map.entry("actedInPass", cache("compared with the pass under way only")),
                Map.entry("changedBefore", cache("order of versions")),
                Map.entry("changedAfter", cache("order of versions")),
                Map.entry("table", part))),
        Arguments.of(
            INTERNAL + "rule.RuledInstance",
            Map.ofEntries(
                Map.entry("request", saved("request")),
                Map.entry("constraints", derived("request")),
                Map.entry("job", derived("request and hosts")),
                Map.entry("rules", derived("request")),
                Map.entry("labels", derived("request")),
                Map.entry("labelPlaces", derived("request")),
                Map.entry("antiAffinity", derived("request")),
                Map.entry("limits", derived("request")))),
        Arguments.of(
            INTERNAL + "rule.RuledHost",
            Map.ofEntries(
                Map.entry("spec", saved("id, capacity, attributes, timeShared, taints")),
                Map.entry("values", derived("spec")),
                Map.entry("valuesOf", cache("the description of the values")),
                Map.entry("slot", cache("place in the table")))),
        Arguments.of(
            INTERNAL + "cluster.Batch",
            Map.of(
                "submission", saved("submission"),
                "members", derived("the bags of instances and members of groups, as admitted"),
                "view", derived("members"),
                "completed", saved("completed"),
                "itsCluster", saved("cluster"))),
        Arguments.of(
            INTERNAL + "elastic.BagRecord",
            Map.ofEntries(
                Map.entry("spec", saved("id, tasks, timeToLive")),
                Map.entry("submittedAt", saved("submittedAt")),
                Map.entry("estimatedRunTime", derived("tasks")),
                Map.entry("usersExpiry", derived("timeToLive and submittedAt")),
                Map.entry("serviceOfThoseDone", saved("serviceOfThoseDone")),
                Map.entry("assignedAt", saved("assignedAt")),
                Map.entry("expiresAt", saved("expiresAt")))),
        Arguments.of(
            INTERNAL + "group.GroupRecord",
            Map.ofEntries(
                Map.entry("id", saved("id")),
                Map.entry("size", saved("size")),
                Map.entry("minCount", saved("minCount")),
                Map.entry("onLoss", saved("onLoss")),
                Map.entry("pending", derived("the states of members")),
                Map.entry("onHosts", derived("the states of members")),
                Map.entry("startsInPass", cache("compared with the pass under way only")),
                Map.entry("triedInRun", cache("compared within a pass only")),
                Map.entry("search", cache("of a search")),
                Map.entry("taken", cache("of a search")),
                Map.entry("queueEntries", cache("of the queue")))),
        Arguments.of(
            INTERNAL + "elastic.PoolRecord",
            Map.of(
                "spec", saved("name, capacity, attributes, limit and delays"),
                "offered", saved("offered"),
                "starting", saved("starting"),
                "up", derived("the pools of hosts"),
                "stopping", saved("stopping"),
                "numbered", saved("numbered"),
                "failures", saved("failures"),
                "lastFailureAt", saved("lastFailureAt"))),
        Arguments.of(
            INTERNAL + "elastic.ProvidedHost",
            Map.of(
                "pool", saved("its place in a pool"),
                "number", saved("number; of a host that stops it matters no more"),
                "id", saved("id"),
                "cluster", saved("cluster; of a host that stops it matters no more"),
                "state", saved("its list in the pool"),
                "expiresAt", saved("expiresAt; of a host that stops it matters no more"),
                "version", cache("key of caches of policies"),
                "record", "for actions that cannot be undone after a restart",
                "requestedBy", "cannot be undone after a restart",
                "releasedBy", "cannot be undone after a restart")),
        Arguments.of(
            INTERNAL + "rule.JobRecord",
            Map.of(
                "name", derived("requests"),
                "members", derived("requests"),
                "budget", saved("budgets"),
                "refusals", derived("the hosts of instances"),
                "presences", derived("the hosts of instances"))),
        Arguments.of(
            INTERNAL + "budget.BudgetRecord",
            Map.ofEntries(
                Map.entry("job", saved("job")),
                Map.entry("budget", saved("limit and members")),
                Map.entry("up", derived("instances")),
                Map.entry("down", derived("instances")),
                Map.entry("upOn", derived("instances")),
                Map.entry("byCount", derived("instances")),
                Map.entry("groups", derived("instances")),
                Map.entry("isUnsettled", "false between calls"),
                Map.entry("settledLeft", derived("budget and instances")),
                Map.entry("search", cache("of a search")),
                Map.entry("taken", cache("of a search")))),
        Arguments.of(
            INTERNAL + "budget.Budgets",
            Map.of(
                "cluster", part, "records", saved("budgets"), "unsettled", "empty between calls")),
        Arguments.of(
            INTERNAL + "elastic.Pools",
            Map.of(
                "cluster",
                part,
                "pools",
                saved("pools"),
                "provided",
                derived("starting and stopping"),
                "assignments",
                "for actions that cannot be undone after a restart")),
        Arguments.of(
            INTERNAL + "cluster.HostTable",
            Map.ofEntries(
                Map.entry("dimensions", saved("dimensions")),
                Map.entry("numbers", derived("dimensions")),
                Map.entry("stride", cache("layout")),
                Map.entry("slots", cache("layout")),
                Map.entry("capacity", derived("hosts")),
                Map.entry("free", derived("hosts and instances")),
                Map.entry("foreign", derived("hosts")),
                Map.entry("hosts", derived("hosts")),
                Map.entry("vacant", cache("layout")),
                Map.entry("vacants", cache("layout")))),
        Arguments.of(
            INTERNAL + "rule.ConstraintIndex", Map.of("entries", derived("requests and hosts"))),
        Arguments.of(INTERNAL + "rule.Limits", Map.of("records", saved("limits"))),
        Arguments.of(
            INTERNAL + "rule.LimitRecord",
            Map.of(
                "name", saved("name"),
                "amount", saved("amount"),
                "used", derived("instances and hosts"),
                "requests", derived("instances"),
                "uses", derived("instances and hosts, in no order that matters"))),
        Arguments.of(
            INTERNAL + "cluster.HostTaints",
            Map.of(
                "taints", saved("taints"),
                "since", saved("taints"),
                "repels", derived("taints"),
                "discourages", derived("taints"),
                "expels", derived("taints"),
                "unreachable", derived("taints"),
                "firstDeparture", cache("of the residents"),
                "firstDepartureVersion", cache("of the residents"))),
        Arguments.of(
            INTERNAL + "state.ClusterState",
            Map.ofEntries(
                Map.entry("backoffs", derived("hosts and instances; its times are set again")),
                Map.entry("budgets", saved("budgets")),
                Map.entry("runLimits", derived("requests and running instances")),
                Map.entry("openActions", "cannot be undone after a restart"),
                Map.entry("placementNumbers", "for actions that cannot be undone"),
                Map.entry("pools", saved("pools")),
                Map.entry("bags", saved("bags")),
                Map.entry("groups", saved("groups")),
                Map.entry("endedBags", saved("endedBags")),
                Map.entry("completions", saved("completions")),
                Map.entry("changedGroups", cache("of searches to repeat")),
                Map.entry("nextExpiry", cache("of bags and hosts")),
                Map.entry("expirySeenUntil", cache("of bags and hosts")))),
        Arguments.of(
            INTERNAL + "cluster.Cluster",
            Map.ofEntries(
                Map.entry("seed", settings),
                Map.entry("classes", settings),
                Map.entry("closings", part),
                Map.entry("draining", saved("hosts")),
                Map.entry("expelling", saved("hosts")),
                Map.entry("latestPlacementNumber", "for actions that cannot be undone"),
                Map.entry("rankedClasses", settings),
                Map.entry("table", part),
                Map.entry("constraintIndex", part),
                Map.entry("peers", derived("requests and hosts")),
                Map.entry("limits", saved("limits")),
                Map.entry("hosts", saved("hosts")),
                Map.entry("hostsInOrder", saved("hosts")),
                Map.entry("hostList", cache("of the hosts")),
                Map.entry("instances", saved("instances")),
                Map.entry("instanceList", cache("of the instances")),
                Map.entry("pending", derived("instances, unordered")),
                Map.entry("counts", derived("instances")),
                Map.entry("index", "the pipeline, which follows the restored records"),
                Map.entry("latestPlacement", saved("latestPlacement")),
                Map.entry("joins", saved("joins")),
                Map.entry("versions", cache("keys of caches")),
                Map.entry("latestChanged", cache("order of versions")),
                Map.entry("expiriesChanged", cache("of bags and hosts")),
                Map.entry("admissions", saved("admissions")),
                Map.entry("dependents", derived("the waitsFor of instances")),
                Map.entry("groupedOnHosts", derived("instances")),
                Map.entry("ended", saved("ended")),
                Map.entry("now", saved("now")),
                Map.entry("latest", saved("latest")),
                Map.entry("openChanges", "0 between calls"),
                Map.entry("tracker", cache("hashes of records")),
                Map.entry("changes", "compared within a call only"))),
        Arguments.of(
            INTERNAL + "cluster.Closings",
            Map.of("table", part, "changed", part, "closed", derived("hosts"))),
        Arguments.of(
            "dev.berth.core.PassTimer",
            Map.of(
                "state", part,
                "watches", settings,
                "watchdogNanos", settings,
                "due", saved("triggers"),
                "passes", saved("passes"),
                "lastPassAt", saved("lastPassAt"),
                "wakeAt", saved("wakeAt"))),
        Arguments.of(
            "dev.berth.core.PassRunner",
            Map.ofEntries(
                Map.entry("state", part),
                Map.entry("transitions", part),
                Map.entry("policy", saved("policyMemory")),
                Map.entry("policyId", settings),
                Map.entry("oversubscribed", settings),
                Map.entry("log", "a log of the past"),
                Map.entry("topScores", "concerns records only"),
                Map.entry("actionsUndone", "figures of the past"),
                Map.entry("maxPlacements", settings),
                Map.entry("timer", part),
                Map.entry("undoLog", "empty between calls"),
                Map.entry("departed", derived("latestPlan, which leaves them out")),
                Map.entry("report", "concerns records only"),
                Map.entry("counts", "figures of the past"),
                Map.entry("undone", "figures of the past"),
                Map.entry("deferralSum", cache("hash")),
                Map.entry("deferralsCounted", cache("hash")),
                Map.entry("lastPlan", saved("latestPlan, what explanations report of it")))),
        Arguments.of(
            "dev.berth.core.Scheduler",
            Map.ofEntries(
                Map.entry("events", part),
                Map.entry("corrections", part),
                Map.entry("handlers", part),
                Map.entry("policyId", settings),
                Map.entry("policyConfig", settings),
                Map.entry("watchdog", settings),
                Map.entry("maxPlacements", settings),
                Map.entry("hostBackoff", settings),
                Map.entry("instanceBackoff", settings),
                Map.entry("log", "a log of the past"),
                Map.entry("timer", part),
                Map.entry("runner", part),
                Map.entry("snapshots", part))),
        Arguments.of("dev.berth.core.ClusterView", Map.of("state", part, "gate", part)),
        Arguments.of(
            "dev.berth.core.CallGate",
            Map.of(
                "state", part,
                "report", "concerns records only",
                "caller", "free between calls",
                "asking", "false between calls",
                "unfinished", "a failed scheduler gives no snapshot",
                "failure", "a failed scheduler gives no snapshot",
                "eventsRefused", "figures of the past",
                "staleReports", "figures of the past")),
        Arguments.of(
            "dev.berth.core.internal.pipeline.Pipeline",
            Map.ofEntries(
                Map.entry("state", part),
                Map.entry("queueOrder", settings),
                Map.entry("victimOrder", settings),
                Map.entry("watchdog", settings),
                Map.entry("dated", derived("instances and tierUntil")),
                Map.entry("feasibility", cache("indexes of hosts and victims")),
                Map.entry(
                    "backfilling", derived("the hosts of instances; reservations are remade")),
                Map.entry("queue", derived("instances and queueKey")),
                Map.entry("oversubscribed", settings))),
        Arguments.of(
            "dev.berth.core.internal.pipeline.InOrder",
            Map.ofEntries(
                Map.entry("state", part),
                Map.entry("feasibility", part),
                Map.entry("groups", "a part that counts the runs"),
                Map.entry("backfilling", part),
                Map.entry("order", settings),
                Map.entry("queue", derived("instances and queueKey")),
                Map.entry("latestStarts", derived("instances")),
                Map.entry("backfill", settings),
                Map.entry("molding", settings),
                Map.entry("oversubscribed", settings),
                Map.entry("grantsItsOwnAmounts", settings),
                Map.entry("reservationsLast", settings),
                Map.entry("decidedPass", saved("queuePass")),
                Map.entry("head", saved("head")),
                Map.entry("lastReserved", cache("reservations that the next pass remakes")))),
        Arguments.of(
            "dev.berth.core.internal.pipeline.ByClass",
            Map.of(
                "feasibility",
                part,
                "groups",
                "a part that counts the runs",
                "served",
                settings,
                "order",
                settings,
                "waiting",
                derived("instances and queueKey"),
                "turns",
                cache("of a pass"),
                "parked",
                cache("of a pass"))));
  }

  @ParameterizedTest
  @MethodSource("classes")
  void everyFieldIsSavedOrNeedNotBe(String type, Map<String, String> fates)
      throws ClassNotFoundException {
    Set<String> actual =
        Arrays.stream(Class.forName(type).getDeclaredFields())
            .filter(each -> !Modifier.isStatic(each.getModifiers()) && !each.isSynthetic())
            .map(Field::getName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(actual)
        .as("fields of %s: is each saved in snapshots, or can it be left out?", type)
        .isEqualTo(new TreeSet<>(fates.keySet()));
  }
}
