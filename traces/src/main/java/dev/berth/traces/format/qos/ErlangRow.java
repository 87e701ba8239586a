package dev.berth.traces.format.qos;

import dev.berth.traces.format.qos.ErlangParser.Group;
import dev.berth.traces.format.qos.ErlangParser.Scalar;
import dev.berth.traces.format.qos.ErlangParser.Term;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.SourceLocation;
import java.util.List;

/** A line that is an Erlang tuple, whose members are accessed by name. */
record ErlangRow(SourceLocation location, List<String> names, List<Term> members) {

  static ErlangRow of(SourceLocation location, String line, List<String> names) {
    Group tuple = ErlangParser.tuple(location, line);
    if (tuple.members().size() != names.size()) {
      throw location.error(
          "has %s fields, must have %s: %s"
              .formatted(tuple.members().size(), names.size(), String.join(", ", names)));
    }
    return new ErlangRow(location, names, tuple.members());
  }

  /** Returns a member that must be a single value. */
  Field field(String name) {
    Term term = member(name);
    if (term instanceof Scalar scalar) {
      return new Field(location, name, scalar.text());
    }
    throw new Field(location, name, term.describe()).error("must be a single value");
  }

  /** Returns the items of a member that must be a list. */
  List<Term> list(String name) {
    Term term = member(name);
    if (term instanceof Group group && !group.isTuple()) {
      return group.members();
    }
    throw new Field(location, name, term.describe()).error("must be a list, [...]");
  }

  private Term member(String name) {
    return members.get(names.indexOf(name));
  }
}
