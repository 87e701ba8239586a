package dev.berth.experiments.studies.memory;

import static dev.berth.experiments.studies.memory.QueueClaim.alike;
import static dev.berth.experiments.studies.memory.QueueClaim.fasterByBackfilling;
import static dev.berth.experiments.studies.memory.QueueClaim.fewerLateByBackfilling;
import static dev.berth.experiments.studies.memory.QueueClaim.least;
import static dev.berth.experiments.studies.memory.QueueClaim.leastLateness;
import static dev.berth.experiments.studies.memory.QueueClaim.longestTotal;
import static dev.berth.experiments.studies.memory.QueueClaim.moreLatenessByBackfilling;
import static dev.berth.experiments.studies.memory.QueueClaim.shorterByBackfilling;
import static dev.berth.experiments.studies.memory.QueueClaim.sjf;

import dev.berth.experiments.PolicySpec;
import dev.berth.experiments.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The studies of queue disciplines (thesis, chapter 4): logs, disciplines and claims. */
public final class QueueStudies {

  private static final Study.Input ZEWURA =
      new Study.Input("wagap-2013.swf.gz", "of the clusters Zewura and Zegox of CERIT-SC");

  private QueueStudies() {}

  /** Returns experiment A on CEA Curie. */
  public static QueueStudy cea() {
    return new QueueStudy(
        "queues-cea",
        "Queue disciplines on CEA Curie: 350 jobs, 200 cores (table 4.1)",
        new Study.Input("CEA-Curie-2011-2.1-cln.swf.gz", "of the Parallel Workloads Archive"),
        350,
        200,
        disciplines(),
        List.of(
            shorterByBackfilling(),
            new QueueClaim(
                "fcf-total",
                "without backfilling, FCF has the least total time",
                it -> it.total("fcf") / least(it.total("fifo"), it.total("edf"), it.total("sgf")),
                it -> it.total("fcf") < least(it.total("fifo"), it.total("edf"), it.total("sgf"))),
            new QueueClaim(
                "least-late",
                "EDF and SGF, without backfilling, are late least often",
                it ->
                    Math.max(it.late("edf"), it.late("sgf"))
                        / least(
                            it.late("fifo"),
                            it.late("fifo + aggressive"),
                            it.late("fcf"),
                            it.late("edf + aggressive"),
                            it.late("sgf + aggressive")),
                it ->
                    Math.max(it.late("edf"), it.late("sgf"))
                        < least(
                            it.late("fifo"),
                            it.late("fifo + aggressive"),
                            it.late("fcf"),
                            it.late("edf + aggressive"),
                            it.late("sgf + aggressive"))),
            moreLatenessByBackfilling(),
            leastLateness(),
            alike(),
            new QueueClaim(
                "least-turnaround",
                "EDF and SGF with backfilling have the least mean turnaround",
                it ->
                    Math.max(it.turnaround("edf + aggressive"), it.turnaround("sgf + aggressive"))
                        / least(
                            it.turnaround("fifo"),
                            it.turnaround("fifo + aggressive"),
                            it.turnaround("fcf"),
                            it.turnaround("edf"),
                            it.turnaround("sgf")),
                it ->
                    Math.max(it.turnaround("edf + aggressive"), it.turnaround("sgf + aggressive"))
                        < least(
                            it.turnaround("fifo"),
                            it.turnaround("fifo + aggressive"),
                            it.turnaround("fcf"),
                            it.turnaround("edf"),
                            it.turnaround("sgf"))),
            sjf()),
        List.of(
            "The thesis used a lighter part of the log: FIFO makes 242 jobs late there, and nearly all here. Our",
            "backlog far exceeds most deadlines, which are multiples of the run time. EDF without backfilling runs",
            "short jobs first, so its turnaround is near that of SJF, but it waits for cores for wide jobs. With",
            "backfilling more small jobs meet their deadlines, at the expense of wide ones."));
  }

  /** Returns experiment A on HPC2N. */
  public static QueueStudy hpc2n() {
    return new QueueStudy(
        "queues-hpc2n",
        "Queue disciplines on HPC2N: 200 jobs, 200 cores (table 4.2)",
        new Study.Input("HPC2N-2002-2.2-cln.swf.gz", "of the Parallel Workloads Archive"),
        200,
        200,
        disciplines(),
        List.of(
            shorterByBackfilling(),
            longestTotal(),
            new QueueClaim(
                "fifo-late",
                "FIFO is late at least three times as often as EDF",
                it -> it.late("fifo") / it.late("edf"),
                it -> it.late("fifo") >= 3 * it.late("edf")),
            fewerLateByBackfilling(),
            leastLateness(),
            moreLatenessByBackfilling(),
            alike(),
            fasterByBackfilling(),
            sjf()),
        List.of(
            "Jobs of the thesis use 35 cores on average, the first jobs of this log half as many. The head of the",
            "queue seldom waits for cores and EDF is hardly ever late, so a job that passes the head only delays it."));
  }

  /** Returns experiment A on Zewura. */
  public static QueueStudy zewura() {
    return new QueueStudy(
        "queues-zewura",
        "Queue disciplines on Zewura: 400 jobs, 100 cores (table 4.3)",
        ZEWURA,
        400,
        100,
        disciplines(),
        List.of(
            shorterByBackfilling(),
            longestTotal(),
            new QueueClaim(
                "longer-than-backfilling",
                "EDF and SGF have longer total times than FIFO with backfilling",
                it -> Math.min(it.total("edf"), it.total("sgf")) / it.total("fifo + aggressive"),
                it -> Math.min(it.total("edf"), it.total("sgf")) > it.total("fifo + aggressive")),
            fewerLateByBackfilling(),
            leastLateness(),
            moreLatenessByBackfilling(),
            alike(),
            fasterByBackfilling(),
            sjf()),
        List.of(
            "Jobs of the thesis use 5 cores on average, most of them less than 3 of 100; jobs of this log use up to",
            "80. A wide job at the head starves while narrow jobs pass it. So EDF with backfilling loses the",
            "turnaround that narrow jobs gain. EASY backfilling, in which no job delays the head, nearly halves it.",
            "The total times of SGF and FIFO differ by less than 1 %."));
  }

  /** Returns experiment B. */
  public static QueueStudy molding() {
    List<PolicySpec> policies = new ArrayList<>();
    for (String queue : List.of("fifo", "edf", "sjf")) {
      policies.add(policy(queue, queue, "none", false));
      policies.add(policy(queue + " + molding", queue, "none", true));
      policies.add(policy(queue + " + aggressive", queue, "aggressive", false));
      policies.add(policy(queue + " + both", queue, "aggressive", true));
    }
    List<QueueClaim> claims = new ArrayList<>();
    for (String queue : List.of("fifo", "edf")) {
      claims.add(
          new QueueClaim(
              "late-" + queue,
              "with %s, molding makes fewer jobs late, and backfilling fewer still"
                  .formatted(queue.toUpperCase(Locale.ROOT)),
              it -> it.late(queue + " + aggressive") / it.late(queue + " + molding"),
              it ->
                  it.late(queue + " + molding") < it.late(queue)
                      && it.late(queue + " + aggressive") < it.late(queue + " + molding")));
    }
    claims.add(
        new QueueClaim(
            "fifo-turnaround",
            "molding shortens FIFO's mean turnaround, and backfilling shortens it more",
            it -> it.turnaround("fifo + aggressive") / it.turnaround("fifo + molding"),
            it ->
                it.turnaround("fifo + molding") < it.turnaround("fifo")
                    && it.turnaround("fifo + aggressive") < it.turnaround("fifo + molding")));
    claims.add(
        new QueueClaim(
            "fifo-both",
            "with FIFO, the mean turnaround of both together lies between molding and backfilling",
            it -> it.turnaround("fifo + both") / it.turnaround("fifo + aggressive"),
            it ->
                it.turnaround("fifo + both") < it.turnaround("fifo + molding")
                    && it.turnaround("fifo + both") > it.turnaround("fifo + aggressive")));
    claims.add(
        new QueueClaim(
            "edf-both",
            "with EDF, both together are late less often than either",
            it ->
                it.late("edf + both")
                    / Math.min(it.late("edf + molding"), it.late("edf + aggressive")),
            it ->
                it.late("edf + both")
                    < Math.min(it.late("edf + molding"), it.late("edf + aggressive"))));
    claims.add(
        new QueueClaim(
            "edf-lateness",
            "backfilling makes EDF's lateness greater, molding smaller",
            it -> it.lateness("edf + aggressive") / it.lateness("edf + molding"),
            it ->
                it.lateness("edf + aggressive") > it.lateness("edf")
                    && it.lateness("edf + molding") < it.lateness("edf")));
    return new QueueStudy(
        "molding-zewura",
        "Molding and backfilling on Zewura: 400 jobs, 100 cores (table 4.5)",
        ZEWURA,
        400,
        100,
        policies,
        claims,
        List.of(
            "Our jobs are wide, so molding the head does more here than in the thesis: on half its cores the head",
            "starts early instead of starving. So both together are better than either, also with FIFO."));
  }

  private static List<PolicySpec> disciplines() {
    List<PolicySpec> policies = new ArrayList<>();
    for (String queue : List.of("fifo", "edf", "sgf", "sjf")) {
      for (String backfill : List.of("none", "aggressive", "easy", "conservative")) {
        String label = queue + (backfill.equals("none") ? "" : " + " + backfill);
        policies.add(policy(label, queue, backfill, false));
      }
    }
    policies.add(policy("fcf", "fcf", "none", false));
    return policies;
  }

  private static PolicySpec policy(String label, String queue, String backfill, boolean molds) {
    return PolicySpec.of(
        label,
        "first-fit",
        "{\"queue\":\"%s\",\"backfill\":\"%s\",\"molding\":{\"maxSlowdown\":%s},\"elasticity\":{\"control\":false,\"migration\":false}}"
            .formatted(queue, backfill, molds ? 2 : 1));
  }
}
