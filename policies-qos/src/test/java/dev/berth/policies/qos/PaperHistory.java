package dev.berth.policies.qos;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.core.Scheduler;
import dev.berth.policies.qos.PaperJob.Node;
import dev.berth.policies.qos.PaperScheduler.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;

/** A random history of a crowded cluster, for {@code qos-driven} and the paper's rule. */
final class PaperHistory {

  private static final int EVENTS = 150;
  private static final long TICK = 900_000_000; // e/σ is whole for the objectives below
  private static final List<Double> OBJECTIVES = List.of(1.0, 0.9, 0.75, 0.6, 0.5, 0.45);

  private final SplittableRandom random;
  private final Settings settings;
  private final PaperScheduler paper;
  private final Scheduler berth;
  private final long watchdog;
  private boolean reschedule;
  private long lastPass;
  private long now = 1_000_000 * TICK;
  private int names;

  PaperHistory(long seed, Function<Settings, PaperScheduler> model) {
    random = new SplittableRandom(seed);
    settings =
        new Settings(
            classes(),
            random.nextInt(3) * 2_370_000_000L,
            random.nextInt(3) > 0,
            random.nextInt(3) == 0,
            seed);
    watchdog = (5 + random.nextInt(30)) * TICK;
    paper = model.apply(settings);
    berth =
        Scheduler.builder()
            .registry(Policies.REGISTRY)
            .policy("qos-driven", json())
            .serviceClasses(settings.classes())
            .seed(seed)
            .build();
  }

  private List<ServiceClass> classes() {
    List<ServiceClass> classes = new ArrayList<>();
    for (int rank = 1; classes.size() < 4; rank += random.nextInt(2)) {
      ServiceClass.Builder each =
          ServiceClass.builder("class " + classes.size())
              .slo(OBJECTIVES.get(random.nextInt(OBJECTIVES.size())))
              .importance(rank)
              .safetyMargin(Duration.ofNanos(random.nextInt(4) * 10L * TICK));
      if (random.nextBoolean()) {
        each.preemptionOverheadLimit(0.25);
      }
      classes.add(each.build());
    }
    return classes;
  }

  private String json() {
    return """
        {"watchdog": "%s", "expectedOverhead": "%s",
        "minimizeVictims": %s, "preemptStarting": %s}"""
        .formatted(
            Duration.ofNanos(watchdog),
            Duration.ofNanos(settings.alpha()),
            settings.minimizeVictims(),
            settings.preemptStarting());
  }

  /** Runs the history until the two differ. */
  Optional<String> firstDifference() {
    join();
    join();
    Optional<String> difference = pass();
    for (int i = 0; i < EVENTS && difference.isEmpty(); i++) {
      event();
      if (random.nextBoolean()) {
        difference = pass();
        now += random.nextInt(10) * TICK;
        if (difference.isEmpty() && nextPass() == now) {
          difference = pass(); // by the watchdog
        }
      }
    }
    return difference;
  }

  private Optional<String> pass() {
    reschedule = false;
    lastPass = now;
    List<String> expected = paper.pass(now);
    List<String> actual =
        berth.schedule(now).actions().stream().map(PaperHistory::describe).toList();
    OptionalLong next = OptionalLong.of(nextPass());
    return actual.equals(expected) && berth.nextPassAt().equals(next)
        ? Optional.empty()
        : Optional.of("%s at %d: %s, not %s".formatted(settings, now, actual, expected));
  }

  private long nextPass() {
    return reschedule ? now : Math.max(now, lastPass + watchdog);
  }

  private static String describe(Action action) {
    if (action instanceof Action.Preempt it) {
      return "preempt %s on %s for %s".formatted(it.instance(), it.host(), it.beneficiary());
    }
    return action instanceof Action.Place it
        ? "place %s on %s".formatted(it.instance(), it.host())
        : action.toString();
  }

  private void event() {
    int die = random.nextInt(100);
    if (die < 35 && paper.jobs.size() < 30) {
      submit();
    } else if (die < 75) {
      any(PaperJob::isStarting).ifPresent(this::start);
    } else if (die < 85) {
      any(PaperJob::runs).ifPresent(this::complete);
    } else if (die < 90) {
      any(PaperJob::runs).ifPresent(this::fail);
    } else if (die < 94 && paper.nodes.size() > 2) {
      leave(List.copyOf(paper.nodes.values()).get(random.nextInt(paper.nodes.size())));
    } else if (paper.nodes.size() < 6) {
      join();
    }
  }

  private Optional<PaperJob> any(Predicate<PaperJob> which) {
    List<PaperJob> all = paper.jobs.values().stream().filter(which).toList();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }

  private void submit() {
    List<ServiceClass> classes = settings.classes();
    ServiceClass serviceClass = classes.get(random.nextInt(classes.size()));
    Request.Builder builder =
        Request.builder("r" + names++, serviceClass.name())
            .demand(resources(1 + random.nextInt(6), 1 + random.nextInt(6)));
    if (random.nextInt(5) == 0) {
      builder.constraint(new Constraint.Equal("zone", "a"));
    }
    Request request = builder.build();
    paper.jobs.put(request.id(), new PaperJob(request, serviceClass, now));
    reschedule = true;
    berth.submit(request, now);
  }

  private void start(PaperJob job) {
    job.ready(now);
    berth.started(job.id(), now);
  }

  private void complete(PaperJob job) {
    job.stop(false, now);
    paper.jobs.remove(job.id());
    reschedule = true;
    berth.completed(job.id(), now);
  }

  private void fail(PaperJob job) {
    job.stop(false, now);
    reschedule = true;
    berth.failed(job.id(), now);
  }

  private void join() {
    HostSpec spec =
        new HostSpec(
            "h" + names++,
            resources(random.nextBoolean() ? 8 : 16, 16),
            Map.of("zone", random.nextBoolean() ? "a" : "b"));
    paper.nodes.put(spec.id(), new Node(spec));
    reschedule = true;
    berth.addHost(spec, now);
  }

  private void leave(Node node) {
    paper.nodes.remove(node.id());
    List.copyOf(node.jobs()).forEach(each -> each.stop(false, now));
    reschedule = true;
    berth.removeHost(node.id(), now);
  }

  private static Resources resources(long cpu, long memory) {
    return Resources.of(Dimension.CPU, cpu, Dimension.MEMORY, memory);
  }
}
