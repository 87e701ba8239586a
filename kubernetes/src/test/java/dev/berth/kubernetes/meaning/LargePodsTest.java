package dev.berth.kubernetes.meaning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.kubernetes.meaning.LargePods.Part;
import dev.berth.test.TestRun;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pods that are made to take the time or the memory of the scheduler. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LargePodsTest {

  /** What etcd takes, by default. */
  private static final int LARGEST = 3 << 19;

  private static final int HOSTS = 50;
  private static final int BATCH = 200;
  private static final long MOST_GROWTH = 64 << 20;

  @ParameterizedTest
  @EnumSource
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void theLargestPodIsReadInTimeAndLeavesLittle(Part part) {
    PodMeaning meaning = PodMeaning.of("i", largest(part), Yaml.RULES, Claims.NONE);
    if (meaning instanceof PodMeaning.Refused refused) {
      assertThat(refused.reasons()).hasSizeBetween(1, 16);
      assertThat(refused.reasons()).allMatch(each -> each.value().length() <= 201);
    } else {
      Request request = ((PodMeaning.Understood) meaning).request();
      assertThat(request.constraints().size()).isLessThanOrEqualTo(256);
      assertThat(request.demand().dimensions().size()).isLessThanOrEqualTo(64);
      assertThat(((PodMeaning.Understood) meaning).leftOut().size()).isLessThanOrEqualTo(16);
    }
  }

  /** Returns a pod with as much of a part as an API server accepts. */
  private static Pod largest(Part part) {
    int some = 1_000;
    String pod = Serialization.asJson(new LargePods(1).pod(part, some));
    return new LargePods(1).pod(part, (int) ((long) some * LARGEST / pod.length()));
  }

  @Test
  void aScheduleOfLargePodsIsFinished() {
    schedule(2_000, 1);
  }

  @Test
  @Tag("long")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void aScheduleOfAHundredThousandLargePodsIsFinished() {
    schedule(100_000, TestRun.seed());
  }

  /** Submits pods in batches, has a pass decide on each batch, and cancels what is left. */
  private static void schedule(int pods, long seed) {
    Scheduler scheduler =
        Scheduler.builder()
            .registry(PolicyRegistry.load())
            .policy("qos-driven", "{}")
            .serviceClasses(List.of(ServiceClass.builder("bronze").build()))
            .build();
    for (int i = 0; i < HOSTS; i++) {
      scheduler.addHost(
          new HostSpec("h" + i, Resources.builder().put(Quantities.PODS, 10).build()), 0);
    }
    LargePods large = new LargePods(seed);
    List<Part> parts = List.of(Part.values());
    long now = 0;
    int submitted = 0;
    long heapBefore = 0;
    for (int from = 0; from < pods; from += BATCH) {
      List<String> batch = new ArrayList<>();
      for (int i = from; i < from + BATCH; i++) {
        Part part = parts.get(i % parts.size());
        PodMeaning meaning =
            PodMeaning.of("p" + i, large.pod(part, 1 + i * 7 % 70), Yaml.RULES, Claims.NONE);
        if (meaning instanceof PodMeaning.Understood yes
            // As the binding does: no node has the others.
            && Quantities.OF_EACH_NODE.containsAll(yes.request().demand().dimensions())) {
          scheduler.submit(yes.request(), now);
          batch.add("p" + i);
        }
      }
      scheduler.schedule(now);
      now += 1_000_000_000L;
      for (String each : batch) {
        scheduler.cancel(each, now);
      }
      submitted += batch.size();
      if (from == 4 * BATCH) {
        heapBefore = heap();
      }
    }
    assertThat(submitted).isGreaterThan(pods / 2);
    assertThat(heap()).isLessThan(heapBefore + MOST_GROWTH);
  }

  private static long heap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
