package acme.ci;

import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.event.Event;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiPredicate;

/** The jobs on the hosts: begins, watches and stops them, and reports what becomes of them. */
final class Running {

  private static final String TAKEN_BACK = "taken-back";
  private static final long TIME_TO_START = Duration.ofSeconds(5).toNanos();

  /** The instances that have completed, in whatever attempt. For all threads. */
  final Set<String> completed = ConcurrentHashMap.newKeySet();

  private final Hosts hosts;
  private final Ledger ledger;
  private final Duration grace;
  private final Executor thread; // which calls all methods
  private final Map<ActionId, Job> jobs = new LinkedHashMap<>();
  private final Map<ActionId, Attempt> left = new HashMap<>(); // by the action that stopped them
  private ProcessFleet.Reports reports;

  /** A run on a host, and what has been done about it. */
  private static final class Job {
    final Run run;
    final CompletableFuture<String> isGone = new CompletableFuture<>();
    long spawnedAt; // by the clock of the JVM
    long termAt; // likewise; 0: no signal yet
    boolean saidStarted;
    boolean isReporting; // its end

    Job(Run run) {
      this.run = run;
    }
  }

  /** Continues with the runs that are there. */
  Running(Hosts hosts, Ledger ledger, Duration grace, Executor thread) {
    this.hosts = hosts;
    this.ledger = ledger;
    this.grace = grace;
    this.thread = thread;
    Run.readAll(hosts.gone).forEach(this::noteCompletion);
    hosts.runs().forEach(each -> jobs.put(each.id(), new Job(each)));
    jobs.values().forEach(each -> noteCompletion(each.run));
  }

  private void noteCompletion(Run run) {
    if (run.exit().filter(Run.Exit::isFinal).isPresent()) {
      completed.add(run.instance());
    }
  }

  boolean isIdle() {
    return jobs.isEmpty();
  }

  void reportTo(ProcessFleet.Reports loop) {
    reports = loop;
  }

  /** Adds the instances on the hosts to a list, and those that are being stopped to a set. */
  void observe(List<ObservedInstance> seen, Set<String> underWay) {
    for (Job each : jobs.values()) {
      Run run = each.run;
      Optional<Run.Began> began = run.began();
      if (run.stop().isPresent()) {
        underWay.add(run.instance());
      }
      if (began.isPresent() && !began.get().processes().isAlive()) {
        noteCompletion(run); // before hasEnded is asked
        continue;
      }
      InstanceState state = began.isPresent() ? InstanceState.RUNNING : InstanceState.STARTING;
      ObservedInstance instance =
          new ObservedInstance(run.instance(), run.host(), state)
              .inAttempt(run.attempt().number())
              .holding(run.amounts());
      seen.add(began.map(it -> instance.since(it.at())).orElse(instance));
    }
  }

  // ---- Starts

  boolean wasBegun(ActionId id) {
    return jobs.containsKey(id) || Files.exists(hosts.gone.resolve(Run.name(id)));
  }

  /** Returns whether a start must wait: for another run of the job, or for what leaves the host. */
  boolean isInTheWay(Action.Place start) {
    return jobs.values().stream().map(each -> each.run).anyMatch(it -> isInTheWay(it, start));
  }

  private static boolean isInTheWay(Run run, Action.Place start) {
    return run.instance().equals(start.instance())
        || (run.host().equals(start.host()) && run.stop().isPresent());
  }

  void begin(ActionId id, Action.Place place, Resources amounts, String command) {
    Job job = new Job(hosts.write(id, place, amounts, command));
    jobs.put(id, job);
    spawn(job);
    ledger.write(Ledger.Entry.STARTED, job.run, "");
  }

  private void spawn(Job job) {
    ledger.write(Ledger.Entry.STARTING, job.run, "");
    job.spawnedAt = System.nanoTime();
    hosts.spawn(job.run);
  }

  // ---- Stops

  /** Stops the runs of an instance on a host; done once they are gone. */
  CompletionStage<String> stop(
      String instance, String host, BiPredicate<ActionId, Attempt> which, String why) {
    List<CompletableFuture<String>> leaving = new ArrayList<>();
    for (Job each : List.copyOf(jobs.values())) {
      if (each.run.instance().equals(instance)
          && each.run.host().equals(host)
          && which.test(each.run.id(), each.run.attempt())) {
        leaving.add(each.isGone);
        stop(each, why);
      }
    }
    return CompletableFuture.allOf(leaving.toArray(CompletableFuture[]::new))
        .thenApply(all -> "gone");
  }

  /** Stops a job. It is noted first: else, after a restart, it would look like a crash. */
  private void stop(Job job, String why) {
    Optional<String> before = job.run.stop();
    if (before.isEmpty()) {
      ledger.write(Ledger.Entry.STOPPING, job.run, why);
    }
    if (before.isEmpty() || why.equals(TAKEN_BACK)) {
      job.run.noteStop(why);
    }
    look(job); // which sends the signal
  }

  /** Takes an action back. A job that a stop has stopped all the same has failed. */
  void takeBack(ActionId id) {
    if (jobs.containsKey(id)) {
      stop(jobs.get(id), TAKEN_BACK);
    }
    for (Job each : jobs.values()) {
      if (each.run.stop().filter(Run.name(id)::equals).isPresent()) {
        each.run.forgetStop();
      }
    }
    Attempt victim = left.remove(id);
    if (victim != null) {
      reports.apply(new Event.Failed(victim, OptionalLong.empty()));
    }
  }

  // ---- What becomes of the jobs

  void look() {
    List.copyOf(jobs.values()).forEach(this::look);
  }

  private void look(Job job) {
    Optional<Run.Began> began = job.run.began();
    if (began.isEmpty()) {
      if (job.run.stop().isPresent() && job.run.preventsBegin()) {
        isGone(job, "not begun");
      } else if (job.spawnedAt == 0 || System.nanoTime() - job.spawnedAt > TIME_TO_START) {
        spawn(job); // as after a restart
      }
    } else if (began.get().processes().isAlive()) {
      if (!job.saidStarted && reports != null) {
        job.saidStarted = true;
        reports.apply(new Event.Started(job.run.attempt(), OptionalLong.of(began.get().at())));
      }
      if (job.run.stop().isPresent()) {
        signal(job, began.get().processes());
      } else if (job.run.exit().isPresent()) {
        began.get().processes().signal("KILL"); // what the job has left behind
      }
    } else if (!job.isReporting && reports != null) {
      job.isReporting = true;
      ended(job);
    }
  }

  private void signal(Job job, ProcessGroup processes) {
    long now = System.nanoTime();
    if (job.termAt == 0) {
      job.termAt = now;
      processes.signal("TERM");
    } else if (now - job.termAt > grace.toNanos()) {
      processes.signal("KILL");
    }
  }

  /** Reports how a job ended. It is gone once that is answered, so nothing overtakes the report. */
  private void ended(Job job) {
    Optional<Run.Exit> exit = job.run.exit();
    Attempt attempt = job.run.attempt();
    Optional<String> stop = job.run.stop();
    if (exit.isPresent() && exit.get().isFinal()) {
      completed.add(job.run.instance());
      if (stop.filter(TAKEN_BACK::equals).isPresent()) {
        withdraw(job); // another attempt may have its number
      } else {
        OptionalLong at = OptionalLong.of(exit.get().at());
        report(job, new Event.Completed(attempt, Optional.empty(), at), () -> withdraw(job));
      }
    } else if (stop.isPresent()) {
      isGone(job, "stopped");
    } else {
      OptionalLong at = exit.map(it -> OptionalLong.of(it.at())).orElse(OptionalLong.empty());
      report(job, new Event.Failed(attempt, at), () -> isGone(job, "failed"));
    }
  }

  /** Has no more of a job run: it has completed, though not in the latest attempt. */
  private void withdraw(Job job) {
    report(job, new Event.Cancelled(job.run.instance()), () -> isGone(job, "completed"));
  }

  /** Reports until it is answered. */
  private void report(Job job, Event<?> report, Runnable refused) {
    reports
        .apply(report)
        .whenCompleteAsync(
            (answer, error) -> {
              Throwable cause = error instanceof CompletionException ? error.getCause() : error;
              if (cause == null) {
                isGone(job, report instanceof Event.Failed ? "failed" : "completed");
              } else if (cause instanceof EventRefusedException) {
                refused.run();
              } else {
                job.isReporting = false; // the loop is overloaded, or has ended: later
              }
            },
            thread);
  }

  private void isGone(Job job, String how) {
    job.run.stop().ifPresent(why -> noteLeft(why, job.run.attempt()));
    ledger.write(Ledger.Entry.GONE, job.run, how);
    job.run.moveTo(hosts.gone);
    jobs.remove(job.run.id());
    job.isGone.complete(how);
  }

  private void noteLeft(String why, Attempt attempt) {
    if (why.contains("-") && !why.equals(TAKEN_BACK)) {
      left.put(Run.id(why), attempt);
    }
  }
}
