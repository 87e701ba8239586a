package dev.berth.testkit.contract;

import dev.berth.testkit.history.History;
import java.util.List;

/** Many histories, with a short description. */
record Many(List<History> histories) {

  @Override
  public String toString() {
    return histories.size() + " histories";
  }
}
