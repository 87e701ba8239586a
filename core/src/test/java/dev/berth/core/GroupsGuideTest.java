package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.GroupSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The code of the guide on groups. */
class GroupsGuideTest {

  @Test
  void sixOfEightWorkersStartTogether() {
    Scheduler scheduler =
        Scheduler.builder()
            .policy("test", context -> context.pipeline().build())
            .serviceClasses(Cluster.GOLD)
            .build();
    Resources oneGpu = Resources.of(new Dimension("gpu", 1), 1);
    long now = 0;
    scheduler.addHost(new HostSpec("h1", Resources.of(new Dimension("gpu", 1), 5), Map.of()), now);

    List<Request> workers = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      workers.add(Request.builder("train-" + i, "gold").demand(oneGpu).build());
    }
    scheduler.submit(new GroupSpec("train", workers, 6, GroupSpec.OnLoss.RELEASE), now);

    assertThat(scheduler.schedule(now).placements()).isEmpty();
    scheduler.addHost(new HostSpec("h2", Resources.of(new Dimension("gpu", 1), 2), Map.of()), now);
    assertThat(scheduler.schedule(now).placements()).hasSize(7);
    assertThat(scheduler.group("train").orElseThrow().required()).isEqualTo(6);
  }
}
