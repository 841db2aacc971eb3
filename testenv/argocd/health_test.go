// Package argocd runs the health checks that we ship for Argo CD as Argo CD runs them: with the same Lua, the same few
// libraries of it, and the object as the global obj.
//
// It stands here because what is compiled with Go stands here; nothing of it is distributed.
package argocd

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	lua "github.com/yuin/gopher-lua"
	"go.yaml.in/yaml/v3"
)

// The layout of Argo CD's own repository, so that the folder can be offered to it as it is.
const customizations = "../../deploy/argocd/resource_customizations"

// What Argo CD knows of health; anything else a check answers is an error there.
var statuses = map[string]bool{
	"Healthy": true, "Progressing": true, "Degraded": true, "Suspended": true, "Missing": true, "Unknown": true,
}

type cases struct {
	Tests []struct {
		HealthStatus struct {
			Status  string `yaml:"status"`
			Message string `yaml:"message"`
		} `yaml:"healthStatus"`
		InputPath string `yaml:"inputPath"`
	} `yaml:"tests"`
}

func scripts(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(customizations, "*", "*", "health.lua"))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 3 {
		t.Fatalf("there is a check for each of three kinds, and %d were found", len(found))
	}
	return found
}

func read(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// What a check says of an object: its status and its message.
func health(t *testing.T, script string, object any) (string, string) {
	t.Helper()
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	libraries := map[string]lua.LGFunction{
		lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable, lua.StringLibName: lua.OpenString,
	}
	for name, library := range libraries {
		state.Push(state.NewFunction(library))
		state.Push(lua.LString(name))
		state.Call(1, 0)
	}
	state.SetGlobal("obj", value(state, object))
	if err := state.DoFile(script); err != nil {
		t.Fatal(err)
	}
	answer, isTable := state.Get(-1).(*lua.LTable)
	if !isTable {
		t.Fatalf("%s answers with no table", script)
	}
	return lua.LVAsString(answer.RawGetString("status")), lua.LVAsString(answer.RawGetString("message"))
}

func value(state *lua.LState, told any) lua.LValue {
	switch told := told.(type) {
	case map[string]any:
		table := state.NewTable()
		for name, inner := range told {
			table.RawSetString(name, value(state, inner))
		}
		return table
	case []any:
		table := state.NewTable()
		for _, inner := range told {
			table.Append(value(state, inner))
		}
		return table
	case string:
		return lua.LString(told)
	case int:
		return lua.LNumber(told)
	case bool:
		return lua.LBool(told)
	default:
		return lua.LNil
	}
}

func TestHealthIsWhatTheCasesSay(t *testing.T) {
	for _, script := range scripts(t) {
		folder := filepath.Dir(script)
		var all cases
		read(t, filepath.Join(folder, "health_test.yaml"), &all)
		used := map[string]bool{}
		seen := map[string]bool{}
		for _, one := range all.Tests {
			var object map[string]any
			read(t, filepath.Join(folder, one.InputPath), &object)
			if kind := filepath.Base(folder); object["kind"] != kind {
				t.Errorf("%s is of kind %v", one.InputPath, object["kind"])
			}
			status, message := health(t, script, object)
			if status != one.HealthStatus.Status || message != one.HealthStatus.Message {
				t.Errorf("%s/%s: %s, %q; not %s, %q", folder, one.InputPath, status, message,
					one.HealthStatus.Status, one.HealthStatus.Message)
			}
			if !statuses[status] {
				t.Errorf("%s/%s: Argo CD does not know %q", folder, one.InputPath, status)
			}
			used[filepath.Join(folder, one.InputPath)] = true
			seen[status] = true
		}
		inputs, err := filepath.Glob(filepath.Join(folder, "testdata", "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, input := range inputs {
			if !used[input] {
				t.Errorf("no case has %s", input)
			}
		}
		for _, status := range []string{"Healthy", "Progressing", "Degraded", "Suspended", "Unknown"} {
			if !seen[status] {
				t.Errorf("%s: no case is %s", folder, status)
			}
		}
	}
}

// An object that says little or nothing is never called healthy, and never breaks the check.
func TestNothingIsHealthyThatIsNotSeen(t *testing.T) {
	condition := func(kind, status string) map[string]any { return map[string]any{"type": kind, "status": status} }
	metadata := map[string]any{"generation": 1}
	for _, script := range scripts(t) {
		for name, object := range map[string]map[string]any{
			"nothing":       {},
			"no status":     {"metadata": metadata},
			"empty status":  {"metadata": metadata, "status": map[string]any{}},
			"no conditions": {"metadata": metadata, "status": map[string]any{"observedGeneration": 1}},
			"not observed": {"metadata": metadata, "status": map[string]any{
				"observedGeneration": -1, "conditions": []any{condition("Ready", "True")}}},
			"observed before": {"metadata": map[string]any{"generation": 2}, "status": map[string]any{
				"observedGeneration": 1, "conditions": []any{condition("Ready", "True")}}},
			"stalled as well": {"metadata": metadata, "status": map[string]any{
				"observedGeneration": 1, "conditions": []any{condition("Ready", "True"), condition("Stalled", "True")}}},
			"other conditions": {"metadata": metadata, "status": map[string]any{
				"observedGeneration": 1, "conditions": []any{condition("Available", "True")}}},
		} {
			status, message := health(t, script, object)
			if status == "Healthy" || !statuses[status] {
				t.Errorf("%s: %s: %s, %q", script, name, status, message)
			}
		}
	}
}

// Argo CD asks for a check of each kind; ours is one.
func TestAllKindsHaveOneCheck(t *testing.T) {
	var first []byte
	for _, script := range scripts(t) {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = text
		}
		if !bytes.Equal(first, text) {
			t.Errorf("%s differs from the others", script)
		}
	}
}
