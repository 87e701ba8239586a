package dev.berth.benchmarks.peer;

import dev.berth.benchmarks.scenario.BenchmarkScenario;
import dev.berth.benchmarks.scenario.ScenarioRun;
import dev.berth.benchmarks.scenario.Scenarios;
import dev.berth.core.Scheduler;

/**
 * One pass of {@code qos-driven} over many requests on a full cluster, the next pass when the
 * watchdog fires without any event, and a pass in which nothing has changed.
 */
record ContendedTask(String scenarioName) implements Task {

  @Override
  public Figures run(Size size) {
    BenchmarkScenario scenario = Scenarios.get(scenarioName);
    ScenarioRun run =
        new ScenarioRun(
            scenario,
            size.hosts(),
            size.requests(),
            Scheduler.builder().policy("qos-driven").decisionLog(0));
    long warm = System.nanoTime() + size.warmUpNanos();
    do {
      run.next();
      run.check(run.pass());
    } while (System.nanoTime() < warm);

    long first = 0;
    long again = 0;
    long idle = 0;
    int passes = 0;
    long enough = System.nanoTime() + size.measuredNanos();
    do {
      run.next();
      long begin = System.nanoTime();
      var plan = run.pass();
      first += System.nanoTime() - begin;
      run.check(plan);
      run.waitForWatchdog();
      begin = System.nanoTime();
      run.pass();
      again += System.nanoTime() - begin;
      run.passUntilIdle();
      begin = System.nanoTime();
      run.pass();
      idle += System.nanoTime() - begin;
      passes++;
    } while (System.nanoTime() < enough);
    return Figures.of("rate", size.requests() * 1e9 * passes / first)
        .and("first", first / 1e9 / passes)
        .and("again", again / 1e9 / passes)
        .and("idle", idle / 1e9 / passes);
  }
}
