package dev.berth.policies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policies.qos.PaperJob.Node;
import dev.berth.policies.qos.PaperScheduler.Settings;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code qos-driven} makes the plans of the {@linkplain PaperScheduler paper's rule} in random
 * histories of crowded clusters, to the last action. A flaw in either would show.
 */
class PaperSchedulerTest {

  private static final long HISTORIES = 100;

  @Test
  void plansByThePapersRule() {
    assertThat(differences(PaperScheduler::new)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aFlawShows(Flaw flaw) {
    assertThat(differences(settings -> flawed(settings, flaw)).findFirst()).isPresent();
  }

  private static Stream<String> differences(Function<Settings, PaperScheduler> model) {
    return LongStream.range(0, HISTORIES)
        .mapToObj(seed -> new PaperHistory(seed, model).firstDifference())
        .flatMap(Optional::stream);
  }

  enum Flaw {
    NO_ALPHA,
    ZERO_AT_ADMISSION,
    NO_MARGIN,
    STARTING_IS_SERVICE,
    QUEUE_REVERSED,
    VICTIMS_REVERSED,
    EQUAL_VICTIMS_BY_ID,
    RULE_A_SWAPPED,
    RULE_A_ALLOWS_EQUAL_METRICS,
    RULE_B_FOR_THE_LESS_IMPORTANT,
    RULE_B_WITHOUT_MARGIN_OF_BENEFICIARY,
    RULE_C_MISSING,
    RULE_C_ALLOWS_EQUAL_METRICS,
    NO_OVERHEAD_LIMIT,
    COST_WITH_WRONG_SIGN,
    COST_WITHOUT_SURPLUS,
    FULLEST_HOST_FIRST
  }

  private static PaperScheduler flawed(Settings settings, Flaw flaw) {
    return new PaperScheduler(settings) {
      @Override
      long q(PaperJob job, long now) {
        long correct = super.q(job, now);
        boolean more =
            flaw == Flaw.NO_ALPHA || (flaw == Flaw.ZERO_AT_ADMISSION && now == job.admittedAt());
        return more ? correct + settings.alpha() : correct;
      }

      @Override
      long margin(PaperJob job) {
        return flaw == Flaw.NO_MARGIN ? 0 : super.margin(job);
      }

      @Override
      long e(PaperJob job, long now) {
        boolean counts = flaw == Flaw.STARTING_IS_SERVICE && job.isStarting();
        return super.e(job, now) + (counts ? now - job.since() : 0);
      }

      @Override
      Comparator<PaperJob> queueOrder(long now) {
        Comparator<PaperJob> correct = super.queueOrder(now);
        return flaw == Flaw.QUEUE_REVERSED ? correct.reversed() : correct;
      }

      @Override
      Comparator<PaperJob> victimOrder(long now) {
        Comparator<PaperJob> correct = super.victimOrder(now);
        return switch (flaw) {
          case VICTIMS_REVERSED -> correct.reversed();
          case EQUAL_VICTIMS_BY_ID ->
              Comparator.<PaperJob>comparingLong(each -> -q(each, now)).thenComparing(PaperJob::id);
          default -> correct;
        };
      }

      @Override
      boolean ruleA(PaperJob j, PaperJob k, long now) {
        return switch (flaw) {
          case RULE_A_SWAPPED -> q(k, now) >= margin(k) && q(j, now) > q(k, now);
          case RULE_A_ALLOWS_EQUAL_METRICS -> q(k, now) >= margin(k) && q(j, now) <= q(k, now);
          default -> super.ruleA(j, k, now);
        };
      }

      @Override
      boolean ruleB(PaperJob j, PaperJob k, long now) {
        return switch (flaw) {
          case RULE_B_FOR_THE_LESS_IMPORTANT -> super.ruleB(k, j, now);
          case RULE_B_WITHOUT_MARGIN_OF_BENEFICIARY ->
              q(k, now) < margin(k)
                  && j.serviceClass().importance() < k.serviceClass().importance();
          default -> super.ruleB(j, k, now);
        };
      }

      @Override
      boolean ruleC(PaperJob j, PaperJob k, long now) {
        return switch (flaw) {
          case RULE_C_MISSING -> false;
          case RULE_C_ALLOWS_EQUAL_METRICS ->
              bothBelowMargin(j, k, now)
                  && j.serviceClass().importance() == k.serviceClass().importance()
                  && q(j, now) <= q(k, now);
          default -> super.ruleC(j, k, now);
        };
      }

      @Override
      boolean isOverLimit(PaperJob k, long now) {
        return flaw != Flaw.NO_OVERHEAD_LIMIT && super.isOverLimit(k, now);
      }

      @Override
      long[] cost(List<PaperJob> victims, long now) {
        long[] tuple = super.cost(victims, now);
        for (int i = 0; i < tuple.length; i++) {
          boolean isSurplus = i == tuple.length - 1;
          tuple[i] *=
              flaw == Flaw.COST_WITH_WRONG_SIGN
                  ? -1
                  : flaw == Flaw.COST_WITHOUT_SURPLUS && isSurplus ? 0 : 1;
        }
        return tuple;
      }

      @Override
      double score(PaperJob j, Node h, List<PaperJob> gone) {
        return (flaw == Flaw.FULLEST_HOST_FIRST ? -1 : 1) * super.score(j, h, gone);
      }
    };
  }
}
