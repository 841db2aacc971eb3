-- How an update is going, for Argo CD, by the conditions that headway-operator writes: Ready, Reconciling and Stalled.
-- The check of each of our kinds is this one.
local hs = { status = "Progressing", message = "Nobody has looked at the cluster yet" }

local status = obj.status
if status == nil or status.conditions == nil then
  return hs
end

-- What was seen of an object before its last change says nothing of it now. -1 is what the API server puts in.
local generation = obj.metadata ~= nil and obj.metadata.generation or nil
local observed = status.observedGeneration
if observed == nil or observed < 0 or (generation ~= nil and observed < generation) then
  hs.message = "What is told is older than the object"
  return hs
end

local conditions = {}
for _, condition in ipairs(status.conditions) do
  conditions[condition.type] = condition
end

local function is(kind, word)
  return conditions[kind] ~= nil and conditions[kind].status == word
end

local function told(health, kind)
  hs.status = health
  hs.message = conditions[kind].message or ""
  if hs.message == "" then
    hs.message = conditions[kind].reason or ""
  end
  return hs
end

if is("Stalled", "True") then
  return told("Degraded", "Stalled")
end
if is("Reconciling", "True") then
  -- Asked for and not begun, or held by somebody: it waits, and for how long is not the cluster's to say.
  local reason = conditions.Reconciling.reason
  if reason == "Accepted" or reason == "Held" then
    return told("Suspended", "Reconciling")
  end
  return told("Progressing", "Reconciling")
end
if is("Ready", "True") then
  return told("Healthy", "Ready")
end
if is("Ready", "False") then
  return told("Degraded", "Ready")
end
hs.status = "Unknown"
hs.message = "It cannot be told how the update is going"
if is("Ready", "Unknown") then
  return told("Unknown", "Ready")
end
return hs
