package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import org.junit.jupiter.api.Test;

class FitViewTest {

  private final IndexedHosts cluster = new IndexedHosts(IndexedHosts.emptiestFirst());
  private final FitView fit =
      new FitView(cluster.state.table(), new VictimSearch(SearchParts.plain(cluster.state)));

  @Test
  void showsTheHostAsItWouldBe() {
    HostRecord host = cluster.hosts(8, 3).get(0);
    InstanceRecord instance = cluster.instance(2);
    fit.now = 7;
    fit.instance = instance;
    fit.grant = instance.wholeDemand;
    fit.on(host);

    assertThat(fit.now()).isEqualTo(7);
    assertThat(fit.host()).isSameAs(host);
    assertThat(fit.instance()).isSameAs(instance);
    assertThat(fit.dimension(0)).isEqualTo(IndexedHosts.UNIT);
    assertThat(fit.capacity(0)).isEqualTo(8);
    assertThat(fit.used(0)).isEqualTo(5);
  }

  @Test
  void showsNoHostAndNoInstanceBeforeTheFirst() {
    assertThatIllegalStateException().isThrownBy(fit::host).withMessageContaining("only during");
    assertThatIllegalStateException().isThrownBy(fit::instance);
  }
}
