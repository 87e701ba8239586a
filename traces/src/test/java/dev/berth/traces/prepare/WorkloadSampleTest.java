package dev.berth.traces.prepare;

import static dev.berth.traces.prepare.UserWorkloads.read;
import static dev.berth.traces.prepare.UserWorkloads.request;
import static dev.berth.traces.prepare.UserWorkloads.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkloadSampleTest {

  private static final Workload HUNDRED = hundredUsers();
  private static final UserClusters CLUSTERS = UserClusters.of(HUNDRED, 2, 1);

  /** Sixty users have one request, forty have ten different ones. */
  private static Workload hundredUsers() {
    List<Arrival> arrivals = new ArrayList<>();
    for (int user = 0; user < 100; user++) {
      for (int i = 0; i < (user < 60 ? 1 : 10); i++) {
        arrivals.add(request(user + "/" + i, "gold", "u" + user, i, 10 + i, 1 + i, 1 + i));
      }
    }
    return workload(arrivals);
  }

  @Test
  void drawsTheShareOfEachGroup() {
    WorkloadSample sample = WorkloadSample.of(HUNDRED, CLUSTERS, WorkloadSample.SHARE, 3, 9);
    assertThat(CLUSTERS.groups()).extracting(List::size).containsExactly(60, 40);
    assertThat(sample.users()).hasSize(6 + 4);
    assertThat(sample.size()).hasValue(6 + 40);
    assertThat(read(sample)).hasSize(46);
    assertThat(sample.name()).isEqualTo("test, sample 3 (seed 9)");
    assertThat(sample.serviceClasses()).isEqualTo(HUNDRED.serviceClasses());
  }

  @Test
  void samplesDifferAndAreReproducible() {
    Set<Set<String>> drawn = new HashSet<>();
    for (int number = 1; number <= 10; number++) {
      drawn.add(WorkloadSample.of(HUNDRED, CLUSTERS, 0.1, number, 9).users());
    }
    assertThat(drawn).hasSize(10);
    assertThat(drawn).contains(WorkloadSample.of(HUNDRED, CLUSTERS, 0.1, 4, 9).users());
    assertThat(drawn).doesNotContain(WorkloadSample.of(HUNDRED, CLUSTERS, 0.1, 4, 10).users());
  }

  @Test
  void everySampleHasAUserOfEachGroup() {
    assertThat(WorkloadSample.of(HUNDRED, CLUSTERS, 0.001, 1, 1).users()).hasSize(2);
    assertThat(read(WorkloadSample.of(HUNDRED, CLUSTERS, 1, 1, 1))).isEqualTo(read(HUNDRED));
  }

  @Test
  void throwsAtTheEndLikeAnIterator() {
    try (ArrivalSource source = WorkloadSample.of(HUNDRED, CLUSTERS, 0.1, 1, 1).open()) {
      source.forEachRemaining(each -> {});
      assertThat(source.hasNext()).isFalse();
      assertThatThrownBy(source::next).isInstanceOf(NoSuchElementException.class);
    }
  }

  @Test
  void closesItsSource() {
    boolean[] closed = new boolean[1];
    Workload watched =
        new Workload() {
          @Override
          public String name() {
            return "watched";
          }

          @Override
          public List<ServiceClass> serviceClasses() {
            return ServiceClasses.goldSilverBronze(Duration.ZERO);
          }

          @Override
          public OptionalLong size() {
            return HUNDRED.size();
          }

          @Override
          public ArrivalSource open() {
            ArrivalSource source = HUNDRED.open();
            return new ArrivalSource() {
              @Override
              public boolean hasNext() {
                return source.hasNext();
              }

              @Override
              public Arrival next() {
                return source.next();
              }

              @Override
              public void close() {
                closed[0] = true;
              }
            };
          }
        };
    WorkloadSample.of(watched, CLUSTERS, 0.1, 1, 1).open().close();
    assertThat(closed[0]).isTrue();
  }

  @Test
  void sharesAndNumbersHaveRanges() {
    assertThatThrownBy(() -> WorkloadSample.of(HUNDRED, CLUSTERS, 0, 1, 1))
        .hasMessage("share of users was 0.0, must be above 0 and at most 1.");
    assertThatThrownBy(() -> WorkloadSample.of(HUNDRED, CLUSTERS, Double.NaN, 1, 1))
        .hasMessage("share of users was NaN, must be above 0 and at most 1.");
    assertThatThrownBy(() -> WorkloadSample.of(HUNDRED, CLUSTERS, 0.1, 0, 1))
        .hasMessage("number of the sample was 0, must be positive.");
  }
}
