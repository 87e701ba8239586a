package dev.berth.core.internal.rule;

import java.util.ArrayList;
import java.util.List;

/** A label of live requests, with their instances. */
final class LabelRecord extends PeerGroup {

  /** A place in the list of a label. */
  record Key(String name, String value) {}

  final Key key;
  private final List<RuledInstance> members = new ArrayList<>(); // each knows its place

  LabelRecord(Key key) {
    this.key = key;
  }

  /** Adds an instance; returns its place. */
  int add(RuledInstance instance) {
    members.add(instance);
    return members.size() - 1;
  }

  /** Removes the instance at a place; returns the one that moves there, or the same. */
  RuledInstance remove(int place) {
    RuledInstance last = members.remove(members.size() - 1);
    if (place < members.size()) {
      members.set(place, last);
    }
    return last;
  }

  boolean isEmpty() {
    return members.isEmpty();
  }

  @Override
  void countIn(PeerTable table) {
    for (RuledInstance each : members) {
      RuledHost host = each.place();
      if (host != null) {
        table.addPeers(host, 1);
      }
    }
  }
}
