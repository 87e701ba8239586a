package dev.berth.cli.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.ServiceClass;
import dev.berth.api.fleet.Observation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.cli.Cli;
import dev.berth.core.Scheduler;
import dev.berth.runtime.Fleet;
import dev.berth.runtime.LoopSettings;
import dev.berth.runtime.SchedulerLoop;
import dev.berth.runtime.journal.FileJournal;
import dev.berth.runtime.journal.FileJournalOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A loop starts on a journal of a scheduler with other settings. */
class ChangedSettingsTest {

  private static final ServiceClass GOLD =
      ServiceClass.builder("gold").slo(0.9).importance(1).build();

  @TempDir private Path folder;

  /** A fleet that does nothing. */
  private static final class Nothing implements Fleet {
    @Override
    public CompletionStage<?> carryOut(ActionId id, Action action) {
      return CompletableFuture.completedFuture("done");
    }

    @Override
    public void takeBack(ActionId id, Action action) {
      // nothing was begun
    }

    @Override
    public CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
      return CompletableFuture.completedFuture("stopped");
    }

    @Override
    public CompletionStage<Observation> observe() {
      return new CompletableFuture<>();
    }
  }

  private SchedulerLoop.Builder loop(String policy, ServiceClass... classes) throws IOException {
    return SchedulerLoop.builder(new Nothing())
        .scheduler(() -> Scheduler.builder().policy(policy).serviceClasses(classes))
        .settings(LoopSettings.defaults().withReconciliation(false, Optional.empty()))
        .clock(() -> 0) // not before the journal's
        .journal(FileJournal.open(folder, FileJournalOptions.defaults()));
  }

  private static String instances(SchedulerLoop loop) {
    return loop.ask(each -> each.instances().toString()).join();
  }

  @Test
  void isRefusedUnlessItIsAllowed() throws IOException {
    RecordedJournal.story(folder, "qos-driven");

    assertThatIllegalStateException()
        .isThrownBy(() -> loop("priority", GOLD, RecordedJournal.BRONZE).start())
        .withMessageContaining("policy was qos-driven and is priority")
        .withMessageContaining("service classes was [service class gold (slo 0.99")
        .withMessageContaining("allowSettingsToChange()");
  }

  @Test
  void isInTheJournalFromThenOn() throws IOException {
    RecordedJournal.story(folder, "qos-driven");
    String before;
    try (SchedulerLoop loop =
        loop("priority", GOLD, RecordedJournal.BRONZE).allowSettingsToChange().start()) {
      before = instances(loop);
      assertThat(before).contains("second");
      assertThat(loop.ask(each -> each.serviceClasses().get(0).slo().share()).join())
          .isEqualTo(0.9);
      loop.cancel("second").join();
    }

    try (SchedulerLoop again = loop("priority", GOLD, RecordedJournal.BRONZE).start()) {
      assertThat(instances(again)).isEqualTo("[]");
      assertThat(again.ask(Scheduler::policyId).join()).isEqualTo("priority");
    }
    assertThat(Cli.run("journal", "verify", folder.toString()).exitCode()).isZero();
    assertThat(explained("40s")).startsWith("second at 40s, under qos-driven: pending");
    assertThat(explained("1m30s")).startsWith("second at 1m30s, under priority: done");
  }

  private String explained(String at) {
    return Cli.run("explain", "--journal", folder.toString(), "second", "--at", at).out();
  }

  @Test
  void aClassOfAnInstanceMustStay() throws IOException {
    RecordedJournal.story(folder, "qos-driven");

    assertThatIllegalStateException()
        .isThrownBy(() -> loop("qos-driven", GOLD).allowSettingsToChange().start())
        .withMessageContaining("instance second is of service class bronze");
  }
}
