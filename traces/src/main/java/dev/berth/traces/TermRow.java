package dev.berth.traces;

import dev.berth.traces.Terms.Group;
import dev.berth.traces.Terms.Scalar;
import dev.berth.traces.Terms.Term;
import java.util.List;

/** A line that holds an Erlang tuple, whose members have names. */
record TermRow(Place place, List<String> names, List<Term> members) {

  static TermRow of(Place place, String line, List<String> names) {
    Group tuple = Terms.tuple(place, line);
    if (tuple.members().size() != names.size()) {
      throw place.wrong(
          "has %s fields, must have %s: %s"
              .formatted(tuple.members().size(), names.size(), String.join(", ", names)));
    }
    return new TermRow(place, names, tuple.members());
  }

  /** Returns a member that is no list and no tuple. */
  Field field(String name) {
    Term term = member(name);
    if (term instanceof Scalar scalar) {
      return new Field(place, name, scalar.text());
    }
    throw new Field(place, name, term.describe()).wrong("must be a single value");
  }

  /** Returns the members of a member that is a list. */
  List<Term> list(String name) {
    Term term = member(name);
    if (term instanceof Group group && !group.isTuple()) {
      return group.members();
    }
    throw new Field(place, name, term.describe()).wrong("must be a list, [...]");
  }

  private Term member(String name) {
    return members.get(names.indexOf(name));
  }
}
