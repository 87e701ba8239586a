package dev.berth.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.journal.RecordedJournal;
import dev.berth.core.PolicyRegistry;
import dev.berth.runtime.LoopTimeline;
import dev.berth.runtime.Replay;
import dev.berth.runtime.journal.JournalInspection;
import dev.berth.timeline.RunTimeline;
import dev.berth.timeline.RunTimeline.End;
import dev.berth.timeline.RunTimeline.State;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoopTimelineTest {

  private static final long S = 1_000_000_000;

  @TempDir private Path folder;

  @Test
  void showsTheStoryOfAJournal() throws IOException {
    Path journal = RecordedJournal.story(folder.resolve("journal"), "priority");
    Replay replay = Replay.of(JournalInspection.of(journal), PolicyRegistry.load());
    LoopTimeline recorded =
        new LoopTimeline(replay.settings().serviceClasses(), replay.begin().orElseThrow());
    replay.run(recorded);
    RunTimeline timeline = recorded.timeline();

    RunTimeline.Spans spans = timeline.spans();
    List<String> words = new ArrayList<>();
    for (int i = 0; i < spans.from().size(); i++) {
      if (spans.instance().get(i) >= 0) {
        words.add(
            "%s %s %s-%s"
                .formatted(
                    timeline.instances().ids().get(spans.instance().index(i)),
                    spans.state().as(i, State.values()),
                    spans.from().get(i) / S,
                    spans.to().get(i) / S));
      }
    }
    assertThat(words)
        .containsExactly(
            "first STARTING 0-2",
            "first RUNNING 2-60",
            "second WAITING 10-60",
            "second STARTING 60-62",
            "second RUNNING 62-90",
            "third WAITING 70-90");
    assertThat(timeline.instances().end().as(0, End.values())).isEqualTo(End.COMPLETED);
    assertThat(timeline.instances().end().as(1, End.values())).isEqualTo(End.UNFINISHED);
    assertThat(timeline.instances().end().as(2, End.values())).isEqualTo(End.CANCELLED);
  }
}
