package dev.berth.kubernetes.meaning;

import dev.berth.api.Constraint;
import dev.berth.api.Domain;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import java.util.List;

/**
 * A port of the node that a pod takes.
 *
 * <p>Two pods conflict if protocol and port are the same, and the addresses are the same or one of
 * them is {@value #ANY}. Pods of our scheduler keep each other away by labels and rules. Foreign
 * pods close a host by an attribute.
 *
 * @param protocol {@code "TCP"}, {@code "UDP"} or {@code "SCTP"}
 * @param port the number
 * @param address the address that it is bound to; {@value #ANY} for all
 */
record HostPort(String protocol, int port, String address) {

  static final String ANY = "0.0.0.0";

  /** The value of the labels and attributes of ports. */
  static final String USED = "used";

  private String anyAddress() {
    return "hostport:" + protocol + "/" + port;
  }

  private String at(String where) {
    return anyAddress() + "@" + where;
  }

  /**
   * Returns the labels of a request that takes the port, and the attributes of a host without it.
   */
  List<String> marks() {
    return List.of(anyAddress(), at(address));
  }

  private List<String> conflicts() {
    return address.equals(ANY) ? List.of(anyAddress()) : List.of(at(address), at(ANY));
  }

  /** Returns the rules that keep the port from pods of our scheduler. */
  List<PlacementRule> rules() {
    return conflicts().stream()
        .<PlacementRule>map(
            mark -> new PlacementRule.Apart(Peers.labelled(mark, USED), Domain.HOST))
        .toList();
  }

  /** Returns the constraints that keep the pod from hosts where a foreign pod has the port. */
  List<Constraint> constraints() {
    return conflicts().stream()
        .<Constraint>map(mark -> new Constraint.NotEqual(mark, USED))
        .toList();
  }

  @Override
  public String toString() {
    return protocol + "/" + port + (address.equals(ANY) ? "" : " at " + address);
  }
}
