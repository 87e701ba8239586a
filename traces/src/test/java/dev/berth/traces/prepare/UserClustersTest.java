package dev.berth.traces.prepare;

import static dev.berth.traces.prepare.UserWorkloads.request;
import static dev.berth.traces.prepare.UserWorkloads.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class UserClustersTest {

  private static final Offset<Double> ROUNDING = within(1e-12);

  @Test
  void featuresAreNumberAndPopulationVariances() {
    UserClusters clusters =
        UserClusters.of(
            workload(
                List.of(
                    request("1", "gold", "ada", 0, 10, 1, 4),
                    request("2", "gold", "bob", 1, 5, 2, 2),
                    request("3", "gold", "ada", 2, 30, 3, 4))),
            6,
            1);
    assertThat(clusters.users()).extracting(UserFeatures::user).containsExactly("ada", "bob");
    UserFeatures ada = clusters.users().get(0);
    assertThat(ada.requests()).isEqualTo(2);
    assertThat(ada.cpuVariance()).isEqualTo(1, ROUNDING); // 1 and 3 around 2
    assertThat(ada.memoryVariance()).isZero();
    assertThat(ada.durationVariance()).isEqualTo(100, ROUNDING); // 10 and 30 around 20
    assertThat(clusters.users().get(1)).isEqualTo(new UserFeatures("bob", 1, 0, 0, 0));
    assertThat(clusters.groups()).containsExactly(List.of("ada"), List.of("bob"));
  }

  /** Several users of each kind, far from the users of the other kinds. */
  @Test
  void groupsSimilarUsers() {
    UserClusters clusters = UserClusters.of(threeKinds(), 3, 5);
    assertThat(clusters.groups())
        .containsExactlyInAnyOrder(users("single", 9), users("steady", 6), users("changing", 3));
    assertThat(clusters.groups().get(0)).as("the largest first").hasSize(9);
  }

  @Test
  void oneSeedGivesOneGrouping() {
    assertThat(UserClusters.of(threeKinds(), 2, 5)).isEqualTo(UserClusters.of(threeKinds(), 2, 5));
  }

  @Test
  void equalUsersAreOneGroup() {
    List<Arrival> arrivals = new ArrayList<>();
    for (String user : users("u", 5)) {
      arrivals.add(request(user, "gold", user, 0, 1, 1, 1));
    }
    assertThat(UserClusters.of(workload(arrivals), 6, 1).groups()).containsExactly(users("u", 5));
  }

  @Test
  void refusesRequestsWithoutUser() {
    Workload workload =
        workload(
            List.of(
                request("1", "gold", "ada", 0, 10, 1, 4), request("2", "gold", "", 1, 5, 2, 2)));
    assertThatThrownBy(() -> UserClusters.of(workload, 6, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("workload test: request 2 has no user", "Maybe");
  }

  @Test
  void requiresAGroupAndARequest() {
    assertThatThrownBy(() -> UserClusters.of(threeKinds(), 0, 1))
        .hasMessage("number of groups was 0, must be positive.");
    assertThatThrownBy(() -> UserClusters.of(workload(List.of()), 6, 1))
        .hasMessageContaining("workload test has no request");
  }

  private static Workload threeKinds() {
    List<Arrival> arrivals = new ArrayList<>();
    for (String user : users("single", 9)) {
      arrivals.add(request(user, "bronze", user, 0, 1, 1, 1));
    }
    for (String user : users("steady", 6)) {
      for (int i = 0; i < 50; i++) {
        arrivals.add(request(user + i, "silver", user, i, 1, 1, 1));
      }
    }
    for (String user : users("changing", 3)) {
      for (int i = 1; i < 50; i++) {
        arrivals.add(request(user + i, "gold", user, i, i, i, i));
      }
    }
    return workload(arrivals);
  }

  private static List<String> users(String kind, int count) {
    List<String> users = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      users.add(kind + "-" + i);
    }
    return users;
  }
}
