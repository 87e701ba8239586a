package dev.berth.cli.source;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * Finds local variables and parameters that hide a field of another type. A reader takes such a
 * name for the field, and the compiler does not object.
 *
 * <p>A name may hide a field of the same type, because then it usually is the new value of the
 * field or the field of another object. A parameter may hide any field in a constructor, and in a
 * method that assigns the field.
 */
final class HiddenFields extends TreeScanner<Void, Void> {

  /** A variable that hides a field. */
  record Finding(String file, long line, String name, String type, String fieldType) {

    /** Returns the finding without its line, which changes often. */
    String summary() {
      return "%s: %s %s".formatted(file.replaceAll(".*/", ""), type, name);
    }

    @Override
    public String toString() {
      return "%s:%s: %s %s hides a field of type %s".formatted(file, line, type, name, fieldType);
    }
  }

  /** A class around the present place, and the fields that its code can name. */
  private static final class Scope {
    private final Map<String, String> instanceFields = new HashMap<>(); // type by name
    private final Map<String, String> staticFields = new HashMap<>();
    private final boolean isStatic;
    private boolean inStaticCode;

    Scope(ClassTree type, boolean isStatic) {
      this.isStatic = isStatic;
      boolean constants =
          type.getKind() == Tree.Kind.INTERFACE || type.getKind() == Tree.Kind.ANNOTATION_TYPE;
      for (Tree each : type.getMembers()) {
        if (each instanceof VariableTree field) {
          boolean shared = constants || field.getModifiers().getFlags().contains(Modifier.STATIC);
          (shared ? staticFields : instanceFields)
              .put(field.getName().toString(), String.valueOf(field.getType()));
        }
      }
    }
  }

  private final Deque<Scope> scopes = new ArrayDeque<>(); // the innermost first
  private final Set<VariableTree> exempt = new HashSet<>();
  private final List<Finding> findings = new ArrayList<>();
  private final CompilationUnitTree unit;
  private final SourcePositions positions;

  private HiddenFields(CompilationUnitTree unit, SourcePositions positions) {
    this.unit = unit;
    this.positions = positions;
  }

  /** Returns the findings in some sources, in the order of the sources. */
  static List<Finding> in(Iterable<? extends JavaFileObject> sources) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavacTask task =
        (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, sources);
    SourcePositions positions = Trees.instance(task).getSourcePositions();
    List<Finding> findings = new ArrayList<>();
    try {
      for (CompilationUnitTree each : task.parse()) {
        HiddenFields scan = new HiddenFields(each, positions);
        scan.scan(each, null);
        findings.addAll(scan.findings);
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return findings;
  }

  @Override
  public Void visitClass(ClassTree type, Void unused) {
    boolean isStatic =
        scopes.isEmpty()
            || type.getModifiers().getFlags().contains(Modifier.STATIC)
            || type.getKind() != Tree.Kind.CLASS;
    scopes.push(new Scope(type, isStatic));
    for (Tree each : type.getMembers()) {
      if (each instanceof VariableTree field) {
        exempt.add(field);
        inCode(field.getModifiers().getFlags().contains(Modifier.STATIC), field);
      } else if (each instanceof BlockTree initializer) {
        inCode(initializer.isStatic(), initializer);
      } else {
        scan(each, null);
      }
    }
    scopes.pop();
    return null;
  }

  @Override
  public Void visitMethod(MethodTree method, Void unused) {
    if (method.getReturnType() == null || method.getBody() == null) {
      exempt.addAll(method.getParameters()); // a constructor, or no code to misread
    } else {
      Set<String> assigned = assignedFields(method.getBody());
      method.getParameters().stream()
          .filter(each -> assigned.contains(each.getName().toString()))
          .forEach(exempt::add);
    }
    inCode(method.getModifiers().getFlags().contains(Modifier.STATIC), method.getParameters());
    if (method.getBody() != null) {
      inCode(method.getModifiers().getFlags().contains(Modifier.STATIC), method.getBody());
    }
    return null;
  }

  /** Returns the names that code assigns as {@code this.name = …}. */
  private static Set<String> assignedFields(Tree code) {
    Set<String> names = new HashSet<>();
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitAssignment(AssignmentTree assignment, Void unused) {
        if (assignment.getVariable() instanceof MemberSelectTree target
            && target.getExpression().toString().equals("this")) {
          names.add(target.getIdentifier().toString());
        }
        return super.visitAssignment(assignment, null);
      }
    }.scan(code, null);
    return names;
  }

  private void inCode(boolean isStatic, Tree code) {
    inCode(isStatic, List.of(code));
  }

  private void inCode(boolean isStatic, Iterable<? extends Tree> code) {
    Scope own = scopes.element();
    boolean before = own.inStaticCode;
    own.inStaticCode = isStatic;
    scan(code, null);
    own.inStaticCode = before;
  }

  @Override
  public Void visitVariable(VariableTree variable, Void unused) {
    if (!exempt.contains(variable)) {
      String name = variable.getName().toString();
      String type = String.valueOf(variable.getType()); // "null" if a lambda infers it
      String fieldType = fieldType(name);
      if (fieldType != null && !fieldType.equals(type)) {
        findings.add(
            new Finding(
                unit.getSourceFile().getName(),
                unit.getLineMap().getLineNumber(positions.getStartPosition(unit, variable)),
                name,
                variable.getType() == null ? "variable" : type,
                fieldType));
      }
    }
    return super.visitVariable(variable, null);
  }

  /** Returns the type of the field that a name would stand for here, or null. */
  private String fieldType(String name) {
    boolean sees = true; // instance fields
    for (Scope each : scopes) {
      sees &= !each.inStaticCode;
      String type = sees ? each.instanceFields.get(name) : null;
      if (type == null) {
        type = each.staticFields.get(name);
      }
      if (type != null) {
        return type;
      }
      sees &= !each.isStatic;
    }
    return null;
  }
}
