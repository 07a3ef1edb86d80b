// SPDX-License-Identifier: GPL-3.0-or-later
//
// The controls, as the analyzer describes them. Those that are shared act on the analyzer,
// and only in the hands of the viewer in control; the others act in this page.

export class Panel {
    // handlers: set(name, text), turn(name, on, isShared), press(name, isShared)
    constructor(place, groups, handlers) {
        this.handlers = handlers;
        this.fields = {};
        this.lists = {};
        this.switches = {};
        this.shared = [];
        place.replaceChildren(...groups.map(group => this.makeGroup(group)));
        this.peaks = make("table", {id: "peaks"});
        const peaks = make("fieldset", {className: "peaks"});
        peaks.append(make("legend", {textContent: "Peaks"}), this.peaks);
        const channel = groups.findIndex(({title}) => title === "Channel");
        place.children[channel].before(peaks); // what follows is used less
    }

    makeGroup({title, controls}) {
        const group = make("fieldset");
        const switches = make("div", {className: "switches"}); // all of them together
        group.append(make("legend", {textContent: title}));
        for (const control of controls) {
            if (control.kind === "field") group.append(this.makeField(control));
            else if (control.kind === "button") group.append(this.makeButton(control));
            else if (control.kind === "switch") {
                if (!switches.parentNode) group.append(switches);
                switches.append(this.makeSwitch(control));
            }
        }
        return group;
    }

    makeField(control) {
        const {name, label, tip, choices} = control;
        const row = make("label", {className: "field", title: tip ?? ""});
        const place = make("span", {className: "choice"});
        if (tip !== null) place.append(this.makeText(name));
        if (choices.length) place.append(this.makeList(name, choices, tip !== null));
        place.classList.toggle("listed", place.childElementCount > 1);
        row.append(make("span", {textContent: label}), place);
        return row;
    }

    makeText(name) {
        const field = make("input", {type: "text", name, autocomplete: "off"});
        field.spellcheck = false;
        const finish = () => {
            if (!field.isEdited) return;
            field.isEdited = false;
            this.handlers.set(name, field.value.trim());
        };
        field.oninput = () => field.isEdited = true;
        field.onblur = finish;
        field.onkeydown = ({key}) => {
            if (key === "Escape") field.isEdited = false; // the value in force comes back
            if (key === "Enter" || key === "Escape") field.blur();
        };
        this.fields[name] = field;
        this.shared.push(field);
        return field;
    }

    makeList(name, choices, isBesideText) {
        const list = make("select", isBesideText ? {tabIndex: -1} : {name});
        list.append(...choices.map(choice => make("option", {textContent: choice})));
        list.onchange = () => {
            this.handlers.set(name, list.value);
            list.blur(); // keys act again
            if (isBesideText) list.selectedIndex = -1; // so that each choice is a change
        };
        if (isBesideText) list.selectedIndex = -1;
        else this.fields[name] = list;
        this.shared.push(list);
        return list;
    }

    makeSwitch({name, label, is_on, is_shared, colour}) {
        const box = make("input", {type: "checkbox", name, checked: is_on});
        if (colour) box.style.accentColor = colour;
        box.onchange = () => this.handlers.turn(name, box.checked, is_shared);
        this.switches[name] = box;
        if (is_shared) this.shared.push(box);
        const row = make("label");
        row.append(box, label);
        return row;
    }

    makeButton({name, label, is_shared}) {
        const button = make("button", {name, textContent: label});
        button.onclick = () => this.handlers.press(name, is_shared);
        if (is_shared) this.shared.push(button);
        return button;
    }

    allow(isInControl) {
        for (const control of this.shared) control.disabled = !isInControl;
    }

    // Shows the values in force, but for a text that is being edited.
    show(values, switches) {
        for (const [name, text] of Object.entries(values)) {
            const field = this.fields[name];
            if (!field || field.isEdited || field.value === text) continue;
            const isSelected = field === document.activeElement
                && field.selectionEnd - field.selectionStart === field.value.length;
            field.value = text;
            if (isSelected) field.select(); // what is typed next replaces it still
        }
        for (const [name, isOn] of Object.entries(switches))
            this.switches[name].checked = isOn;
    }
}

// Rows of texts as a table's content.
export function fillTable(table, rows) {
    table.replaceChildren(...rows.map(texts => {
        const row = make("tr");
        row.append(...texts.map(textContent => make("td", {textContent})));
        return row;
    }));
}

export function make(tag, properties = {}) {
    return Object.assign(document.createElement(tag), properties);
}
